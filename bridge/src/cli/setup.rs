//! `drawbridge setup`: tells every browser of this machine which program to start for our extension, shows what is left
//! to do by hand, and sees it work.

mod guide;
mod remove;
mod whose;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error, Outcome};
use drawbridge_protocol::ids::ClientId;
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::tools::doctor::LinkHealth;
use drawbridge_protocol::tools::session::TargetState;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::doctor;
use crate::browsers::host::{self, Ours};
use crate::browsers::profile::{self, Extension};
use crate::browsers::{Browser, Findings, Roots, find};
use crate::client::Client;
use crate::home::Home;
use crate::output;
use crate::registration::{Registration, check_place};

/// How long a person may take for the clicks.
const DEFAULT_WAIT_S: u64 = 300;

/// How often it is looked whether a browser connected.
const POLL: Duration = Duration::from_millis(300);

/// How `setup` is called.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Setup {
    /// Takes everything back that set-up wrote, and removes the bridge's home.
    #[arg(long)]
    remove: bool,
    /// With --remove: keeps the home with its decisions and its record of what was done.
    #[arg(long, requires = "remove")]
    keep_data: bool,
    /// Registers this program although it lies in a build folder or a temporary one.
    #[arg(long)]
    here: bool,
    /// Also registers with a browser whose user data folder is not where it usually is.
    #[arg(long, value_name = "FOLDER")]
    user_data_dir: Vec<PathBuf>,
    /// Writes the manifests for all users of this machine instead; needs root.
    #[arg(long, conflicts_with_all = ["user_data_dir", "keep_data"])]
    system: bool,
    /// Opens no browser.
    #[arg(long)]
    no_open: bool,
    /// Seconds to wait for a browser to connect; 0 does not wait.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_WAIT_S)]
    wait: u64,
    /// Stands in for the root of the file system.
    #[arg(long, hide = true)]
    root: Option<PathBuf>,
}

/// Sets up, or takes it back.
pub(super) async fn run(id: &ClientId, asked: Setup, json: bool) -> Result<ExitCode, Error> {
    if !asked.system {
        whose::check()?;
    }
    let roots = Roots::of_environment(asked.root.as_deref())
        .ok_or_else(|| Error::new(Code::InvalidArgument, "HOME is not set"))?;
    match (asked.system, asked.remove) {
        (true, _) => system(&roots, &asked, json),
        (false, true) => remove::run(id, &roots, asked.keep_data, json).await,
        (false, false) => register(id, &roots, &asked, json).await,
    }
}

async fn register(id: &ClientId, roots: &Roots, asked: &Setup, json: bool) -> Result<ExitCode, Error> {
    let say = |text: &str| {
        if !json {
            output::line(&output::harmless(text));
        }
    };
    let binary = program()?;
    check_place(&binary, asked.here).map_err(refused)?;
    let home = Home::open().map_err(|error| Error::new(Code::NotConnected, format!("{error:#}")))?;
    let mut registration = Registration::read(home.root())
        .unwrap_or_default()
        .unwrap_or_default();
    registration.binary.clone_from(&binary);
    registration.here = asked.here;
    for folder in &asked.user_data_dir {
        let folder = std::path::absolute(folder).map_err(|error| refused(error.into()))?;
        if !registration.user_data.contains(&folder) {
            registration.user_data.push(folder);
        }
    }
    let findings = find(roots, &registration.user_data);
    let browsers: Vec<&Browser> = findings.browsers.iter().collect();
    registration.register(home.root(), &browsers).map_err(failed)?;
    for browser in &findings.browsers {
        say(&format!("registered with {}", browser.name));
    }
    for skipped in &findings.skipped {
        say(&format!(
            "skipped {}, seen at {}: {}",
            skipped.name,
            skipped.folder.display(),
            skipped.why
        ));
    }
    if findings.browsers.is_empty() {
        return Err(Error::new(Code::NotFound, "no usable Chromium browser was found")
            .hint(no_browser_hint(&findings)));
    }
    let extension = extension_folder(&binary);
    let wanting: Vec<&Browser> = findings
        .browsers
        .iter()
        .filter(|browser| profile::look(&browser.data).extension != Extension::Enabled)
        .collect();
    let client = Client::open(&home, id, "command line").await?;
    // The first profile is paired by whoever sets up; every later one by its person, in a paired browser.
    let pairing = client.admin(Admin::OpenPairing).await;
    let mut links = connected(&client, Duration::ZERO).await?;
    if links.is_empty() {
        let steps = guide::steps(&findings.browsers, &wanting, extension.as_deref());
        for step in &steps {
            say(step);
        }
        if !asked.no_open && !wanting.is_empty() && asked.wait > 0 {
            guide::open(&home, &wanting, &steps);
        }
        if asked.wait > 0 {
            say(&format!(
                "waiting up to {} s for a browser to connect …",
                asked.wait
            ));
            links = connected(&client, Duration::from_secs(asked.wait)).await?;
        }
    }
    if links.is_empty() && asked.wait > 0 {
        return not_connected(id, &home, roots).await;
    }
    for link in &links {
        say(&told(link));
    }
    if let Err(error) = pairing {
        say(&format!("no profile was paired: {}", error.message));
        say(error.hint.as_deref().unwrap_or_default());
    }
    if json {
        output::line(&result(&registration, &findings, extension.as_deref(), &links));
    }
    Ok(ExitCode::SUCCESS)
}

/// Profiles whose background gave a sign of life: a round trip through every hop but the page.
async fn connected(client: &Client, limit: Duration) -> Result<Vec<LinkHealth>, Error> {
    let until = Instant::now() + limit;
    loop {
        let health = doctor::health(client, false, false).await?;
        let alive: Vec<LinkHealth> = health
            .links
            .into_iter()
            .filter(|link| link.answer_ms.is_some())
            .collect();
        if !alive.is_empty() || Instant::now() >= until {
            return Ok(alive);
        }
        sleep(POLL).await;
    }
}

/// Nobody came: what `doctor` thinks of it.
async fn not_connected(id: &ClientId, home: &Home, roots: &Roots) -> Result<ExitCode, Error> {
    let facts = crate::doctor::gather(home.root(), Some(roots), &[]);
    let diagnosis = doctor::look(id, &facts, false, None).await;
    Err(Error::new(
        Code::NotConnected,
        "the manifests are written, and no browser has connected",
    )
    .hint(diagnosis.recommendation))
}

fn told(link: &LinkHealth) -> String {
    let ms = link.answer_ms.unwrap_or_default();
    let name = link.name.as_deref().unwrap_or("a browser profile");
    match link.state {
        TargetState::Connected => format!("connected: {name} answers in {ms} ms"),
        TargetState::Unpaired => format!(
            "connected: {name} answers in {ms} ms; it gets no call until you confirm it in that browser"
        ),
    }
}

fn result(
    registration: &Registration,
    findings: &Findings,
    extension: Option<&Path>,
    links: &[LinkHealth],
) -> String {
    let registered: Vec<Value> = findings
        .browsers
        .iter()
        .map(|browser| {
            let manifests: Vec<PathBuf> = browser.hosts.iter().map(|folder| host::file(folder)).collect();
            json!({"browser": browser.name, "folder": browser.data, "manifests": manifests})
        })
        .collect();
    let skipped: Vec<Value> = findings
        .skipped
        .iter()
        .map(|skipped| json!({"browser": skipped.name, "folder": skipped.folder, "why": skipped.why}))
        .collect();
    let connected: Vec<Value> = links
        .iter()
        .map(|link| json!({"target": link.target, "name": link.name, "state": link.state, "roundTripMs": link.answer_ms}))
        .collect();
    let result = json!({
        "binary": registration.binary,
        "registered": registered,
        "skipped": skipped,
        "extension": extension,
        "connected": connected,
    });
    serde_json::to_string(&Outcome(Ok(result))).unwrap_or_default()
}

/// Manifests for all users. Their program finds each user's own home by itself.
fn system(roots: &Roots, asked: &Setup, json: bool) -> Result<ExitCode, Error> {
    if !rustix::process::geteuid().is_root() {
        return Err(Error::new(
            Code::NotGranted,
            "--system writes for all users and needs root",
        ));
    }
    let binary = program()?;
    if !asked.remove {
        check_place(&binary, asked.here).map_err(refused)?;
    }
    let ours = Ours {
        host: binary.clone(),
        binary,
        script: None,
    };
    let mut done = Vec::new();
    let mut skipped = Vec::new();
    for browser in find(roots, &[]).browsers {
        let Some(folder) = &browser.system else {
            skipped.push(browser.name);
            continue;
        };
        let file = host::file(folder);
        if asked.remove {
            // One that starts another program is not ours to remove.
            if matches!(host::check(&file, &ours), host::State::Other(_))
                || !host::remove(&file).map_err(failed)?
            {
                continue;
            }
        } else {
            host::write_for_all(&file, &ours).map_err(failed)?;
        }
        done.push(file);
    }
    if json {
        let result = json!({"manifests": done, "skipped": skipped});
        output::line(&serde_json::to_string(&Outcome(Ok(result))).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    let verb = if asked.remove { "removed" } else { "wrote" };
    for file in done {
        output::line(&format!("{verb} {}", file.display()));
    }
    for name in skipped {
        output::line(&format!(
            "skipped {name}: its vendor documents no place for all users; each user runs `drawbridge setup`"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// This program, by its real path.
fn program() -> Result<PathBuf, Error> {
    std::env::current_exe()
        .and_then(|path| path.canonicalize())
        .map_err(|error| Error::internal(format!("this program does not find itself: {error}")))
}

/// The unpacked extension that came with the program: beside it, as in the package, or where builds put it.
fn extension_folder(binary: &Path) -> Option<PathBuf> {
    binary
        .ancestors()
        .skip(1)
        .take(3)
        .map(|folder| folder.join("extension"))
        .find(|folder| {
            let manifest = std::fs::read(folder.join("manifest.json")).unwrap_or_default();
            let manifest: Value = serde_json::from_slice(&manifest).unwrap_or_default();
            // The sources have a manifest too, and no module.
            manifest["name"] == "Drawbridge" && folder.join("background_bg.wasm").is_file()
        })
}

fn no_browser_hint(findings: &Findings) -> String {
    if findings.skipped.is_empty() {
        return "install Chrome, Chromium, Edge, Brave, Vivaldi or Opera, or name a user data folder with \
                --user-data-dir"
            .to_owned();
    }
    let skipped = findings.skipped.iter();
    let words: Vec<String> = skipped
        .map(|skipped| format!("{}: {}", skipped.name, skipped.why))
        .collect();
    words.join("; ")
}

fn refused(error: anyhow::Error) -> Error {
    Error::new(Code::NotGranted, format!("{error:#}"))
}

fn failed(error: anyhow::Error) -> Error {
    Error::internal(format!("{error:#}"))
}
