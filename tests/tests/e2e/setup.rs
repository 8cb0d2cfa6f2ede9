//! Set-up: the right files for every browser that is there, words for those that cannot work, and nothing left behind.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::version::{EXTENSION_ID, NATIVE_HOST};
use drawbridge_tests::project::Bridge;
use drawbridge_tests::sandbox::{Options, Sandbox};
use serde_json::{Value, json};

use crate::installed::{Installed, ran};

/// User data folders of every browser and channel that is looked for.
const FLAVOURS: &[&str] = &[
    "google-chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "google-chrome-canary",
    "google-chrome-for-testing",
    "chromium",
    "microsoft-edge",
    "microsoft-edge-beta",
    "microsoft-edge-dev",
    "microsoft-edge-canary",
    "BraveSoftware/Brave-Browser",
    "BraveSoftware/Brave-Browser-Beta",
    "BraveSoftware/Brave-Browser-Dev",
    "BraveSoftware/Brave-Browser-Nightly",
    "BraveSoftware/Brave-Origin",
    "vivaldi",
    "vivaldi-snapshot",
    "opera",
    "opera-beta",
    "opera-developer",
];

/// A bridge of its own in a folder of its own, without a browser.
fn installed() -> Result<(Sandbox, Installed)> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let mut installed = Installed::in_sandbox(&sandbox)?;
    // The default home, below the user's folder.
    installed.home = None;
    Ok((sandbox, installed))
}

fn manifest(installed: &Installed, flavour: &str) -> PathBuf {
    let config = installed.user.join(".config").join(flavour);
    config
        .join("NativeMessagingHosts")
        .join(format!("{NATIVE_HOST}.json"))
}

fn read(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).with_context(|| format!("no {}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// bug:I3, bug:I14, A2.
#[tokio::test(flavor = "multi_thread")]
async fn every_flavour_gets_its_manifest_and_removal_leaves_no_file() -> Result<()> {
    let (sandbox, installed) = installed()?;
    installed.browsers(FLAVOURS)?;
    let extension = installed.with_extension()?;
    let before = installed.tree()?;
    let ran_setup = installed.setup(&["--here", "--wait", "0", "--json"]).await?;
    assert_eq!(ran_setup.code, 0, "{ran_setup:?}");
    let told: Value = serde_json::from_str(&ran_setup.out)?;
    assert_eq!(
        told["result"]["registered"].as_array().map(Vec::len),
        Some(FLAVOURS.len())
    );
    for flavour in FLAVOURS {
        let manifest = read(&manifest(&installed, flavour)).context(*flavour)?;
        assert_eq!(
            manifest,
            json!({
                "name": NATIVE_HOST, "description": "Drawbridge", "path": installed.binary, "type": "stdio",
                "allowed_origins": [format!("chrome-extension://{EXTENSION_ID}/")]
            })
        );
    }
    // What the manifest names starts, although its path has a space and an umlaut, and ends with its browser.
    let named = read(&manifest(&installed, "chromium"))?["path"].clone();
    let mut host = tokio::process::Command::new(named.as_str().context("path")?);
    host.arg(format!("chrome-extension://{EXTENSION_ID}/"))
        .env("HOME", &installed.user)
        .env_remove("DRAWBRIDGE_HOME")
        .stdin(std::process::Stdio::null());
    let host = ran(&mut host).await?;
    assert_eq!((host.code, host.out.as_str()), (0, ""), "{host:?}");

    // Twice is as good as once. What is left to do by hand names the page and the folder.
    let again = installed.setup(&["--here", "--wait", "0"]).await?;
    assert_eq!(again.code, 0);
    assert_eq!(told["result"]["extension"], json!(extension));
    for words in [
        "chrome://extensions",
        "Load unpacked",
        &extension.display().to_string(),
    ] {
        assert!(again.out.contains(words), "{again:?}");
    }
    let removed = installed.setup(&["--remove"]).await?;
    assert_eq!(removed.code, 0, "{removed:?}");
    let mut after = installed.tree()?;
    // The folders that lead to the home may have become others' too.
    after.retain(|path, bytes| bytes.is_some() || !installed.user.join(".local/share").starts_with(path));
    assert_eq!(after, before);
    let again = installed.setup(&["--remove"]).await?;
    assert!(
        again.code == 0 && again.out.contains("nothing to remove"),
        "{again:?}"
    );
    sandbox.stop().await
}

/// bug:I1.
#[tokio::test(flavor = "multi_thread")]
async fn a_snap_and_a_flatpak_are_named_with_what_works_instead() -> Result<()> {
    let (sandbox, installed) = installed()?;
    for folder in [
        "snap/chromium/common/chromium",
        ".var/app/com.google.Chrome/config/google-chrome",
    ] {
        fs::create_dir_all(installed.user.join(folder))?;
    }
    let stub = installed.system.join("snap/bin/chromium");
    fs::create_dir_all(stub.parent().context("folder")?)?;
    fs::write(&stub, "#!/bin/sh\nexec snap run chromium \"$@\"\n")?;
    let alone = installed.setup(&["--here", "--wait", "0"]).await?;
    assert_eq!(alone.code, 3, "{alone:?}");
    assert!(
        alone.err.contains("snap") && alone.err.contains("What works"),
        "{alone:?}"
    );
    // One that works is registered all the same, and the others are still named.
    installed.browsers(&["vivaldi"])?;
    let both = installed.setup(&["--here", "--wait", "0"]).await?;
    assert_eq!(both.code, 0, "{both:?}");
    assert!(both.out.contains("registered with Vivaldi"), "{both:?}");
    for skipped in ["skipped Chromium (snap)", "skipped Google Chrome (flatpak)"] {
        assert!(both.out.contains(skipped), "{both:?}");
    }
    ensure!(
        !installed
            .user
            .join("snap/chromium/common/chromium/NativeMessagingHosts")
            .exists()
    );
    let (_, diagnosis) = installed.doctor(&[]).await?;
    let rows = diagnosis["browsers"].as_array().context("browsers")?;
    assert_eq!(rows.iter().filter(|row| row["host"] == "skipped").count(), 2);
    stop(&installed, sandbox).await
}

/// bug:I15, A3.
#[tokio::test(flavor = "multi_thread")]
async fn borrowed_rights_are_refused_before_anything_is_written() -> Result<()> {
    let (sandbox, installed) = installed()?;
    installed.browsers(&["chromium"])?;
    let before = installed.tree()?;
    let system = installed.system.display().to_string();
    let arguments = ["setup", "--here", "--wait", "0", "--root", &system];
    let sudo = ran(installed.command(&arguments).env("SUDO_USER", "ada")).await?;
    assert_eq!(sudo.code, 1, "{sudo:?}");
    assert!(sudo.err.contains("without sudo"), "{sudo:?}");
    assert_eq!(installed.tree()?, before);
    if rustix::process::geteuid().is_root() {
        chown(&installed.user, Some(12_345), None)?;
        let other = installed.run(&arguments).await?;
        assert_eq!(other.code, 1, "{other:?}");
        assert!(other.err.contains("belongs to user 12345"), "{other:?}");
        chown(&installed.user, Some(0), None)?;
        assert_eq!(installed.tree()?, before);
    }
    // Whoever signed in as root is a user like any other.
    let plain = installed.run(&arguments).await?;
    assert_eq!(plain.code, 0, "{plain:?}");
    stop(&installed, sandbox).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_binary_that_would_vanish_or_could_be_exchanged_is_not_registered() -> Result<()> {
    let (sandbox, installed) = installed()?;
    installed.browsers(&["chromium"])?;
    let temporary = installed.setup(&["--wait", "0"]).await?;
    assert_eq!(temporary.code, 1, "{temporary:?}");
    assert!(temporary.err.contains("temporary folder"), "{temporary:?}");
    let app = installed.binary.parent().context("folder")?;
    fs::write(
        app.join("CACHEDIR.TAG"),
        "Signature: 8a477f597d28d172789f06886806bc55\n",
    )?;
    let built = installed.setup(&["--wait", "0"]).await?;
    assert!(built.code == 1 && built.err.contains("build folder"), "{built:?}");
    fs::set_permissions(app, fs::Permissions::from_mode(0o777))?;
    let open = installed.setup(&["--here", "--wait", "0"]).await?;
    assert!(open.code == 1 && open.err.contains("by others"), "{open:?}");
    ensure!(!manifest(&installed, "chromium").exists());
    fs::set_permissions(app, fs::Permissions::from_mode(0o700))?;
    assert_eq!(installed.setup(&["--here", "--wait", "0"]).await?.code, 0);
    stop(&installed, sandbox).await
}

#[tokio::test(flavor = "multi_thread")]
async fn another_home_is_served_through_a_script_and_both_go_together() -> Result<()> {
    let (sandbox, mut installed) = installed()?;
    installed.browsers(&["chromium"])?;
    let home = installed.user.join("it's ü home");
    installed.home = Some(home.clone());
    assert_eq!(installed.setup(&["--here", "--wait", "0"]).await?.code, 0);
    let named = read(&manifest(&installed, "chromium"))?["path"].clone();
    assert_eq!(named, json!(home.join("native-host")));
    // Started as a browser does, with nothing in its environment, it finds that home.
    let mut host = tokio::process::Command::new(home.join("native-host"));
    host.arg(format!("chrome-extension://{EXTENSION_ID}/"))
        .env_clear()
        .stdin(std::process::Stdio::null());
    assert_eq!(ran(&mut host).await?.code, 0);
    let logs = fs::read_dir(home.join("logs"))?;
    ensure!(
        logs.flatten()
            .any(|log| log.file_name().to_string_lossy().starts_with("native-host")),
        "the host used another home"
    );
    // A person's downloads stay, and are named.
    fs::create_dir_all(home.join("files"))?;
    fs::write(home.join("files/mine.pdf"), "x")?;
    let removed = installed.setup(&["--remove"]).await?;
    assert_eq!(removed.code, 0, "{removed:?}");
    assert!(removed.out.contains("what is in it is yours"), "{removed:?}");
    let left: Vec<_> = fs::read_dir(&home)?
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, ["files"]);
    ensure!(!manifest(&installed, "chromium").exists());
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_registered_is_left_alone_on_removal() -> Result<()> {
    let (sandbox, installed) = installed()?;
    installed.browsers(&["chromium", "vivaldi"])?;
    assert_eq!(installed.setup(&["--here", "--wait", "0"]).await?.code, 0);
    let file = manifest(&installed, "vivaldi");
    let mut other = read(&file)?;
    other["path"] = json!("/bin/true");
    fs::write(&file, other.to_string())?;
    let neighbour = file.with_file_name("org.example.other.json");
    fs::write(&neighbour, "{}")?;
    let removed = installed.setup(&["--remove"]).await?;
    assert_eq!(removed.code, 0, "{removed:?}");
    ensure!(file.exists() && neighbour.exists() && !manifest(&installed, "chromium").exists());
    assert!(removed.out.contains("set-up did not write it"), "{removed:?}");
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn data_is_kept_on_request() -> Result<()> {
    let (sandbox, installed) = installed()?;
    installed.browsers(&["chromium"])?;
    assert_eq!(installed.setup(&["--here", "--wait", "0"]).await?.code, 0);
    let removed = installed.setup(&["--remove", "--keep-data"]).await?;
    assert_eq!(removed.code, 0, "{removed:?}");
    let home = installed.user.join(".local/share/drawbridge");
    ensure!(home.join("drawbridge.db").exists() && !home.join("registration.json").exists());
    ensure!(!manifest(&installed, "chromium").exists());
    stop(&installed, sandbox).await
}

#[tokio::test(flavor = "multi_thread")]
async fn all_users_of_a_machine_are_served_where_vendors_say_how() -> Result<()> {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: manifests for all users need root");
        return Ok(());
    }
    let (sandbox, installed) = installed()?;
    for program in ["google-chrome-stable", "chromium", "brave-browser"] {
        let path = installed.system.join("usr/bin").join(program);
        fs::create_dir_all(path.parent().context("folder")?)?;
        fs::write(path, "x")?;
    }
    let wrote = installed.setup(&["--system", "--here"]).await?;
    assert_eq!(wrote.code, 0, "{wrote:?}");
    assert!(wrote.out.contains("skipped Brave"), "{wrote:?}");
    for folder in ["etc/opt/chrome", "etc/chromium"] {
        let folder = installed.system.join(folder).join("native-messaging-hosts");
        let file = folder.join(format!("{NATIVE_HOST}.json"));
        assert_eq!(read(&file)?["path"], json!(installed.binary));
        assert_eq!(fs::metadata(&file)?.permissions().mode() & 0o777, 0o644);
        assert_eq!(fs::metadata(&folder)?.permissions().mode() & 0o777, 0o755);
    }
    assert_eq!(installed.setup(&["--system", "--remove"]).await?.code, 0);
    let file = format!("etc/chromium/native-messaging-hosts/{NATIVE_HOST}.json");
    ensure!(!installed.system.join(file).exists());
    sandbox.stop().await
}

/// bug:I9.
#[tokio::test(flavor = "multi_thread")]
async fn variables_of_another_version_keep_nobody_out() -> Result<()> {
    let (sandbox, installed) = installed()?;
    installed.browsers(&["chromium"])?;
    let stale = |arguments: &[&str]| {
        let mut command = installed.command(arguments);
        command
            .env("DRAWBRIDGE_PORT", "19825")
            .env("DRAWBRIDGE_DAEMON_URL", "")
            .env("DRAWBRIDGE_LOG", "][");
        command
    };
    let system = installed.system.display().to_string();
    for arguments in [
        &["setup", "--here", "--wait", "0", "--root", &system][..],
        &["chrome", "status"],
        &["tools"],
        &["grants", "list"],
        &["clients", "list"],
        &["settings", "get", "recipe.window"],
        &["audit", "show"],
        &["daemon", "--stop"],
    ] {
        let ran = ran(&mut stale(arguments)).await?;
        assert_eq!(ran.code, 0, "{arguments:?}: {ran:?}");
    }
    let doctor = ran(&mut stale(&["doctor", "--json", "--root", &system])).await?;
    let diagnosis: Value = serde_json::from_str(&doctor.out)?;
    let warnings = diagnosis["result"]["warnings"].to_string();
    for name in ["DRAWBRIDGE_PORT", "DRAWBRIDGE_DAEMON_URL"] {
        assert!(warnings.contains(name), "{warnings}");
    }
    stop(&installed, sandbox).await
}

/// The build that is released sets up just the same, and lets nobody in by it.
#[tokio::test(flavor = "multi_thread")]
async fn a_released_build_sets_up_too_and_tells_a_stranger_no_name() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options {
        bridge: Bridge::Released,
        ..Options::default()
    })?;
    let mut installed = Installed::in_sandbox(&sandbox)?;
    installed.home = None;
    installed.browsers(&["chromium"])?;
    let set_up = installed.setup(&["--here", "--wait", "0"]).await?;
    assert_eq!(set_up.code, 0, "{set_up:?}");
    let (code, diagnosis) = installed.doctor(&[]).await?;
    assert_eq!(code, 3, "{diagnosis}");
    assert_eq!(diagnosis["hops"][3]["issue"], "extension_absent", "{diagnosis}");
    ensure!(diagnosis.get("targets").is_none(), "{diagnosis}");
    stop(&installed, sandbox).await
}

/// Ends the daemon of the default home, which the sandbox does not know.
async fn stop(installed: &Installed, sandbox: Sandbox) -> Result<()> {
    let stopped = installed.run(&["daemon", "--stop"]).await?;
    ensure!(stopped.code == 0, "{stopped:?}");
    sandbox.stop().await
}
