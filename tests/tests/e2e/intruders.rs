//! Who tries to get in beside the door: other users of the machine, the network, and links that are not what they say.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use drawbridge_protocol::link::{ToBridge, ToExtension};
use drawbridge_protocol::local::{Admin, ClientHello, LinkHello, ToDaemon};
use drawbridge_protocol::{Code, version};
use drawbridge_tests::client::{Client, read_frame, write_frame};
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::impostor::Impostor;

#[tokio::test(flavor = "multi_thread")]
async fn another_user_of_the_machine_gets_nothing() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let (code, text) = sandbox.cli(["grants", "list"]).await?;
    assert_eq!(code, 0, "{text}");
    let home = sandbox.home().to_owned();
    let socket = home.join("run/daemon.sock");
    let mode = |path: &Path| Ok::<_, anyhow::Error>(fs::metadata(path)?.permissions().mode() & 0o777);
    for folder in ["", "run", "logs", "files"] {
        assert_eq!(mode(&home.join(folder))?, 0o700, "{folder}");
    }
    for file in files(&home)? {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // What the harness wrote is its own affair.
        if name != "sandbox.json" {
            assert_eq!(mode(&file)?, 0o600, "{name}");
        }
    }
    if !rustix::process::geteuid().is_root() {
        eprintln!("only root can try to be another user: the modes were looked at, no more");
        return sandbox.stop().await;
    }
    let path = socket.clone();
    let error = as_nobody(move || UnixStream::connect(path).err().map(|error| error.kind())).await?;
    assert_eq!(error, Some(std::io::ErrorKind::PermissionDenied));

    // Behind doors that somebody left open, the daemon still looks at who it is.
    let root = home.parent().context("a root")?.to_owned();
    for folder in [&root, &home, &home.join("run")] {
        fs::set_permissions(folder, Permissions::from_mode(0o711))?;
    }
    fs::set_permissions(&socket, Permissions::from_mode(0o666))?;
    let hellos = [
        ToDaemon::Client(ClientHello {
            protocol: version::PROTOCOL,
            build: version::BUILD.to_owned(),
            client: "cli".into(),
            name: "cli".to_owned(),
            secret: None,
        }),
        ToDaemon::Link(link_hello(&format!(
            "chrome-extension://{}/",
            version::EXTENSION_ID
        ))),
    ];
    for hello in hellos {
        let (path, bytes) = (socket.clone(), serde_json::to_vec(&hello)?);
        let heard = as_nobody(move || {
            let mut stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(Duration::from_secs(20)))?;
            // The daemon may have hung up already.
            let sent = stream
                .write_all(&u32::try_from(bytes.len()).unwrap_or_default().to_le_bytes())
                .and_then(|()| stream.write_all(&bytes));
            let mut heard = Vec::new();
            match stream.read_to_end(&mut heard) {
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
                Err(error) => return Err(error),
            }
            drop(sent);
            Ok(heard)
        })
        .await??;
        assert_eq!(heard, Vec::<u8>::new(), "{hello:?}");
    }
    // The owner is served as before.
    Client::connect(&home, "cli").await?;
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_daemon_listens_and_on_loopback_alone() -> Result<()> {
    let world = World::shared().await?;
    let mcp = world.mcp("domains").await?;
    let hosts = world.sandbox.profile().native_hosts();
    assert_eq!(hosts.len(), 1);
    let silent = [vec![mcp.pid().context("mcp runs")?], hosts].concat();
    // The look itself sees listeners: the site is one.
    let me = std::process::id();
    ensure!(!network_sockets(me)?.is_empty(), "the look sees nothing");
    for pid in silent {
        assert_eq!(network_sockets(pid)?, Vec::<String>::new(), "process {pid}");
    }
    // 127.0.0.1, as the kernel writes it.
    let of_the_daemon = network_sockets(world.client.daemon)?;
    ensure!(of_the_daemon.len() <= 1, "{of_the_daemon:?}");
    ensure!(
        of_the_daemon
            .iter()
            .all(|socket| socket.starts_with("tcp 0100007F:")),
        "{of_the_daemon:?}"
    );
    assert!(mcp.close(Duration::from_secs(1)).await?.success());
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_of_another_extension_is_refused() -> Result<()> {
    let world = World::shared().await?;
    let other = "chrome-extension://abcdefghijklmnopabcdefghijklmnop/";
    for origin in [other, "chrome-extension://", "https://shop.example/", ""] {
        let mut stream =
            tokio::net::UnixStream::connect(world.sandbox.home().join("run/daemon.sock")).await?;
        let hello = serde_json::to_vec(&ToDaemon::Link(link_hello(origin)))?;
        write_frame(&mut stream, &hello).await?;
        let answer = wait::within("the answer", Duration::from_secs(5), read_frame(&mut stream))
            .await?
            .with_context(|| format!("closed without a word for {origin:?}"))?;
        match serde_json::from_slice(&answer)? {
            ToExtension::Refused { error } => assert_eq!(error.code, Code::NotGranted),
            told => bail!("{origin:?} was told {told:?}"),
        }
        let more = wait::within("the end", Duration::from_secs(5), read_frame(&mut stream)).await?;
        assert_eq!(more, None);
    }
    // Started by a browser for another extension, the host says nothing at all.
    for origin in [other, "chrome-extension://", "chrome-extension://x y/"] {
        let output = world
            .sandbox
            .command([origin])
            .stdin(Stdio::null())
            .output()
            .await?;
        assert_eq!(
            (output.status.code(), output.stdout),
            (Some(1), Vec::new()),
            "{origin}"
        );
    }
    let links = world.client.admin(Admin::Links).await?;
    assert_eq!(links.as_array().map(Vec::len), Some(1), "{links}");
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_link_under_the_id_of_a_live_profile_takes_nothing_over() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let target = world.sandbox.profile().target.clone();
    let links = world.client.admin(Admin::Links).await?;
    let started = world.client.call_raw("browser_start", json!({})).await?;
    let running = world
        .client
        .start_raw("browser_echo", json!({"text": "mine", "waitMs": 1500}));
    for _ in 0..3 {
        let mut copy = Impostor::start(&world.sandbox, "copy", target.as_str()).await?;
        let error = copy.refused().await?;
        assert_eq!(error.code, Code::Conflict, "{error}");
        ensure!(!error.message.contains(&world.sandbox.profile().name), "{error}");
    }
    assert_eq!(running.answer().await?.outcome?["text"], "mine");
    assert_eq!(world.client.admin(Admin::Links).await?, links);
    let url = world.site.url("/states/ok");
    let navigated = world
        .client
        .call_raw("browser_navigate", json!({ "url": url }))
        .await?;
    assert_eq!(navigated["tab"], started["tab"]);
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_profile_gets_an_id_of_its_own() -> Result<()> {
    let world = World::fresh(Options {
        profiles: 2,
        ..Options::default()
    })
    .await?;
    let [first, second] = world.sandbox.profiles() else {
        bail!("two profiles")
    };
    let browser = second.browser().await?;
    let page = second.extension_page(&browser).await?;
    page.evaluate::<bool>(&format!(
        "chrome.storage.local.set({{target: {}}}).then(() => true)",
        json!(first.target)
    ))
    .await?;
    page.close().await?;
    second.stop_worker().await?;
    let own = wait::until(
        "the copy to connect under an id of its own",
        Duration::from_secs(20),
        async || {
            let links = world.client.admin(Admin::Links).await?;
            let links = links.as_array().cloned().unwrap_or_default();
            let of = |pid: u32| links.iter().find(|link| link["pid"] == pid).cloned();
            let (Some(one), Some(other)) = (of(first.pid()), of(second.pid())) else {
                return Ok(None);
            };
            ensure!(
                one["id"] == first.target.as_str(),
                "the first lost its id: {links:?}"
            );
            Ok((other["id"] != second.target.as_str()).then(|| other["id"].clone()))
        },
    )
    .await?;
    ensure!(own != first.target.as_str(), "{own}");
    // It keeps it.
    second.stop_worker().await?;
    wait::until("the copy to connect again", Duration::from_secs(20), async || {
        let args = json!({"text": "x", "target": own});
        Ok(world.client.call_raw("browser_echo", args).await.ok())
    })
    .await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_whose_browser_is_dead_can_come_back_under_its_id() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let mut first = Impostor::start(&sandbox, "one", "p-0123456789abcdef").await?;
    assert_eq!(first.welcomed().await?, "one");
    // It answers when it is asked: the other one waits and goes.
    let mut second = Impostor::start(&sandbox, "two", "p-fedcba9876543210").await?;
    assert_eq!(second.welcomed().await?, "two");
    first.say(&ToBridge::Pong { nonce: 1 }).await?;
    first.leave().await?;
    let mut again = Impostor::start(&sandbox, "other-label", "p-0123456789abcdef").await?;
    assert_eq!(again.welcomed().await?, "one", "the name is the profile's");
    again.leave().await?;
    second.leave().await?;
    sandbox.stop().await
}

fn link_hello(origin: &str) -> LinkHello {
    LinkHello {
        protocol: version::PROTOCOL,
        build: version::BUILD.to_owned(),
        origin: origin.to_owned(),
        browser_pid: std::process::id(),
        label: None,
    }
}

/// Runs something on a thread that is another user's.
async fn as_nobody<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    use rustix::process::Uid;
    use rustix::thread::{set_thread_groups, set_thread_res_uid};

    let thread = std::thread::spawn(move || {
        let nobody = Uid::from_raw(65_534);
        set_thread_groups(&[])?;
        set_thread_res_uid(nobody, nobody, nobody)?;
        Ok(work())
    });
    tokio::task::spawn_blocking(move || thread.join().ok().context("the thread panicked")?).await?
}

/// Every file below a folder that is no socket.
fn files(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.extend(files(&entry.path())?);
        } else {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Sockets of a process that the network can reach: TCP that listens, and all UDP.
fn network_sockets(pid: u32) -> Result<Vec<String>> {
    ensure!(processes::runs(pid), "process {pid} is gone");
    let mut own = Vec::new();
    for entry in fs::read_dir(format!("/proc/{pid}/fd"))? {
        // A descriptor may close while it is looked at.
        if let Ok(link) = fs::read_link(entry?.path()) {
            let link = link.to_string_lossy().into_owned();
            own.extend(
                link.strip_prefix("socket:[")
                    .map(|inode| inode.trim_end_matches(']').to_owned()),
            );
        }
    }
    let mut found = Vec::new();
    for (table, listening) in [
        ("tcp", Some("0A")),
        ("tcp6", Some("0A")),
        ("udp", None),
        ("udp6", None),
    ] {
        let text = fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let columns: Vec<_> = line.split_whitespace().collect();
            let (Some(address), Some(state), Some(inode)) = (columns.get(1), columns.get(3), columns.get(9))
            else {
                continue;
            };
            let reachable = listening.is_none_or(|wanted| wanted == *state);
            if reachable && own.iter().any(|known| known == inode) {
                found.push(format!("{table} {address}"));
            }
        }
    }
    Ok(found)
}
