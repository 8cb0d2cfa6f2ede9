//! The link's socket: large results over it and without it, whatever dies, and nobody else through it.

use std::fs::File;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use drawbridge_protocol::frame::Assembler;
use drawbridge_protocol::link::{SocketOffer, ToBridge, ToExtension};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::socket::{Accepting, Opening, PATH, accepting_mac, is, opening_mac};
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::version::EXTENSION_ID;
use drawbridge_tests::client::{read_frame, write_frame};
use drawbridge_tests::sandbox::{Options, Sandbox};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use futures_util::future::{join_all, try_join_all};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::extension::{Played, link_hello, socket};

type Link = Played<OwnedReadHalf, OwnedWriteHalf>;
type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

const LIST: [&str; 3] = ["call", "browser_session", r#"{"action":"list"}"#];
const PATIENCE: Duration = Duration::from_secs(5);

/// Ports that a process listens on, as `address:port` in the kernel's hexadecimal digits.
/// <https://docs.kernel.org/networking/proc_net_tcp.html>
fn listens(pid: u32) -> Result<Vec<String>> {
    let sockets: Vec<String> = std::fs::read_dir(format!("/proc/{pid}/fd"))?
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter_map(|link| {
            Some(
                link.to_str()?
                    .strip_prefix("socket:[")?
                    .strip_suffix(']')?
                    .to_owned(),
            )
        })
        .collect();
    let mut found = Vec::new();
    for table in ["tcp", "tcp6", "udp", "udp6"] {
        let text = std::fs::read_to_string(format!("/proc/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let words: Vec<_> = line.split_whitespace().collect();
            let listening = words.get(3) == Some(&"0A") || table.starts_with("udp");
            if listening
                && words
                    .get(9)
                    .is_some_and(|inode| sockets.iter().any(|own| own == inode))
            {
                found.push(words[1].to_owned());
            }
        }
    }
    Ok(found)
}

fn port_of(listening: &str) -> Result<u16> {
    let port = listening.rsplit(':').next().context("a port")?;
    Ok(u16::from_str_radix(port, 16)?)
}

/// A link that a test plays, and the offer that it was welcomed with.
async fn played(sandbox: &Sandbox) -> Result<(Link, SocketOffer)> {
    let (source, mut sink) = socket(sandbox).await?.into_split();
    write_frame(&mut sink, &serde_json::to_vec(&link_hello())?).await?;
    let mut link = Played::over(source, sink);
    let welcome = wait::within("a welcome", PATIENCE, link.greet()).await?;
    Ok((link, welcome.socket.context("no socket was offered")?))
}

async fn offered(link: &mut Link) -> Result<SocketOffer> {
    link.send(&ToBridge::WantSocket).await?;
    wait::within("an offer", PATIENCE, async {
        loop {
            match link.next().await?.context("the link ended")? {
                ToExtension::Socket { offer } => return offer.context("none"),
                ToExtension::Ping { nonce } => link.send(&ToBridge::Pong { nonce }).await?,
                other => bail!("{other:?}"),
            }
        }
    })
    .await
}

/// Connects as our extension would, but for what is given.
async fn connected(port: u16, path: &str, headers: &[(&'static str, Option<&str>)]) -> Result<Socket> {
    let mut request = format!("ws://127.0.0.1:{port}{path}").into_client_request()?;
    let origin = format!("chrome-extension://{EXTENSION_ID}");
    request.headers_mut().insert("origin", origin.parse()?);
    for (name, value) in headers {
        match value {
            Some(value) => request.headers_mut().insert(*name, value.parse()?),
            None => request.headers_mut().remove(*name),
        };
    }
    Ok(wait::within("a connection", PATIENCE, async {
        Ok(connect_async(request).await?)
    })
    .await?
    .0)
}

fn opening(offer: &SocketOffer) -> String {
    let nonce = "n".repeat(32);
    let mac = opening_mac(offer.token.expose(), &offer.id, &nonce);
    let id = offer.id.clone();
    json!(Opening { id, nonce, mac }).to_string()
}

/// Whether a first frame gets any answer; a close is none.
async fn answered(socket: &mut Socket, first: Message) -> Result<Option<String>> {
    // One that is closed already takes nothing.
    drop(socket.send(first).await);
    let answer = wait::within("an answer or the end", PATIENCE, async {
        Ok(socket.next().await)
    })
    .await?;
    Ok(match answer {
        Some(Ok(Message::Text(text))) => Some(text.to_string()),
        Some(Ok(_) | Err(_)) | None => None,
    })
}

/// A link goes on, whatever was tried at its port.
async fn unharmed(sandbox: &Sandbox, link: &mut Link) -> Result<()> {
    let client = sandbox.client("watcher").await?;
    let call = client.start(&EchoArgs {
        text: "still here".into(),
        ..EchoArgs::default()
    })?;
    wait::within("an echo", PATIENCE, link.answer()).await?;
    ensure!(call.result::<EchoArgs>().await?.text == "still here");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_megabytes_arrive_whole_over_the_socket_and_without_it() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let host = world.sandbox.profile().native_hosts()[0];
    let relayed = || -> Result<u64> {
        let text = std::fs::read_to_string(format!("/proc/{host}/io"))?;
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("rchar: "))
            .context("rchar")?;
        Ok(line.trim().parse()?)
    };
    for (socket, over_port) in [("on", false), ("off", true), ("on", false)] {
        let (key, value) = ("link.socket".to_owned(), socket.to_owned());
        world.client.admin(Admin::SetSetting { key, value }).await?;
        wait::until("the link to follow the setting", PATIENCE, async || {
            let before = relayed()?;
            world
                .client
                .call(&EchoArgs {
                    fill: Some(1_000_000),
                    ..EchoArgs::default()
                })
                .await?;
            Ok(((relayed()? - before > 900_000) == over_port).then_some(()))
        })
        .await
        .with_context(|| socket.to_owned())?;
        let before = relayed()?;
        let args = EchoArgs {
            text: "é🎉".repeat(100_000),
            fill: Some(40_000_000),
            timeout_ms: Some(60_000),
            ..EchoArgs::default()
        };
        let echoed = world.client.call(&args).await?;
        ensure!(
            echoed.text == args.text && echoed.fill.len() == 40_000_000,
            "not whole"
        );
        ensure!(echoed.fill.bytes().all(|byte| byte == b'x'), "not as it was");
        let passed = relayed()? - before;
        ensure!(
            (passed > 40_000_000) == over_port,
            "{socket}: {passed} bytes over the port"
        );
    }
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_done_twice_when_the_socket_dies_at_any_instant() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let calls = try_join_all((0..40).map(|number: u32| {
        let client = &world.client;
        async move {
            tokio::time::sleep(Duration::from_millis(u64::from(number) * 60)).await;
            let text = format!("{number} {}", "y".repeat(300_000 + number as usize * 10_000));
            let args = EchoArgs {
                text: text.clone(),
                fill: Some(400_000),
                timeout_ms: Some(30_000),
                ..EchoArgs::default()
            };
            let echoed = client.call(&args).await?;
            ensure!(
                echoed.text == text && echoed.fill.len() == 400_000,
                "{number} came back changed"
            );
            Ok(())
        }
    }));
    let deaths = async {
        for round in 0..40 {
            let value = if round % 2 == 0 { "off" } else { "on" }.to_owned();
            let key = "link.socket".to_owned();
            world.client.admin(Admin::SetSetting { key, value }).await?;
            tokio::time::sleep(Duration::from_millis(37 + round * 3)).await;
        }
        Ok(())
    };
    futures_util::future::try_join(calls, deaths).await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_our_extension_with_the_token_gets_an_answer_and_only_once() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    let daemon = sandbox.daemon().context("no daemon")?;
    ensure!(listens(daemon)?.is_empty(), "bound before anybody wants it");
    let (mut link, offer) = played(&sandbox).await?;
    let port = offer.port;
    let listening = listens(daemon)?;
    ensure!(
        listening.len() == 1 && listening[0].starts_with("0100007F:"),
        "{listening:?}"
    );
    ensure!(port_of(&listening[0])? == port);

    // Who does not look like our background does not even get a WebSocket.
    let page = "https://page.test";
    for (path, headers) in [
        (PATH, &[("origin", Some(page))][..]),
        (PATH, &[("origin", Some("null"))]),
        (PATH, &[("origin", None)]),
        (
            PATH,
            &[(
                "origin",
                Some("chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            )],
        ),
        (PATH, &[("host", Some("other.test"))]),
        (PATH, &[("host", Some("localhost"))]),
        ("/", &[]),
        ("/link/", &[]),
        ("/link?token=1", &[]),
    ] {
        ensure!(
            connected(port, path, headers).await.is_err(),
            "{path} {headers:?}"
        );
    }
    // Nor does who says something else first; none of it uses the offer up.
    let strange = Opening {
        id: "0".repeat(32),
        nonce: String::new(),
        mac: "0".repeat(64),
    };
    for first in [
        Message::text("hello"),
        Message::text("{}"),
        Message::text(r#"{"type":"hello"}"#),
        Message::text(json!(strange).to_string()),
        Message::text("x".repeat(1_000_000)),
        Message::binary((0..=255).collect::<Vec<u8>>()),
        Message::Close(None),
    ] {
        let mut socket = connected(port, PATH, &[]).await?;
        ensure!(answered(&mut socket, first.clone()).await?.is_none(), "{first:?}");
    }

    // The right proof works, and once.
    let mut socket = connected(port, PATH, &[]).await?;
    let answer = answered(&mut socket, Message::text(opening(&offer)))
        .await?
        .context("no answer")?;
    let accepting: Accepting = serde_json::from_str(&answer)?;
    let wanted = accepting_mac(offer.token.expose(), &offer.id, &"n".repeat(32), &accepting.nonce);
    ensure!(is(&accepting.mac, &wanted), "the daemon proved nothing");
    let mut again = connected(port, PATH, &[]).await?;
    ensure!(
        answered(&mut again, Message::text(opening(&offer)))
            .await?
            .is_none(),
        "twice"
    );

    // A wrong token uses the offer up: there is no second try.
    let offer = offered(&mut link).await?;
    let mut wrong: Opening = serde_json::from_str(&opening(&offer))?;
    wrong
        .mac
        .replace_range(..1, if wrong.mac.starts_with('0') { "1" } else { "0" });
    for text in [json!(wrong).to_string(), opening(&offer)] {
        let mut socket = connected(port, PATH, &[]).await?;
        ensure!(answered(&mut socket, Message::text(text)).await?.is_none());
    }
    // An offer that was replaced is none, and one that is too old.
    let replaced = offered(&mut link).await?;
    let old = offered(&mut link).await?;
    let mut socket = connected(port, PATH, &[]).await?;
    ensure!(
        answered(&mut socket, Message::text(opening(&replaced)))
            .await?
            .is_none()
    );
    tokio::time::sleep(Duration::from_millis(drawbridge_protocol::socket::OFFER_MS + 100)).await;
    let mut socket = connected(port, PATH, &[]).await?;
    ensure!(
        answered(&mut socket, Message::text(opening(&old)))
            .await?
            .is_none(),
        "too old"
    );

    unharmed(&sandbox, &mut link).await?;
    drop(link);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_connections_in_a_second_shut_nobody_out() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    let daemon = sandbox.daemon().context("no daemon")?;
    let (mut link, offer) = played(&sandbox).await?;
    let began = Instant::now();
    // They stay, and say nothing, or half of something.
    let flood = join_all((0..1_000).map(|number: u32| async move {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, offer.port)).await.ok()?;
        if number.is_multiple_of(2) {
            drop(stream.write_all(b"GET /link HTTP/1.1\r\nHost: x\r\n").await);
        }
        Some(stream)
    }))
    .await;
    let took = began.elapsed();
    let open = std::fs::read_dir(format!("/proc/{daemon}/fd"))?.count();
    ensure!(open < 120, "{open} descriptors after {took:?}");
    let offer = offered(&mut link).await?;
    let mut socket = connected(offer.port, PATH, &[]).await?;
    ensure!(
        answered(&mut socket, Message::text(opening(&offer)))
            .await?
            .is_some(),
        "ours is shut out"
    );
    unharmed(&sandbox, &mut link).await?;
    drop((flood, link));
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_requests_learn_nothing() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    let (mut link, offer) = played(&sandbox).await?;
    let port = offer.port;
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                   Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let own = format!("Origin: chrome-extension://{EXTENSION_ID}\r\n");
    for request in [
        format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
        format!("GET /link HTTP/1.1\r\nHost: other.test\r\n{own}{upgrade}\r\n"),
        format!("GET /link HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: https://page.test\r\n{upgrade}\r\n"),
        format!("GET /link HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: other.test\r\n{own}{upgrade}\r\n"),
        format!("GET /link HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{own}{own}{upgrade}\r\n"),
        format!(
            "POST /link HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
        ),
        format!("OPTIONS /link HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: https://page.test\r\n\r\n"),
        format!("GET /link HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(50_000)),
        "\u{0}\u{1}\u{2}\r\n\r\n".to_owned(),
    ] {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
        // It may be closed before it heard all.
        drop(stream.write_all(request.as_bytes()).await);
        drop(stream.shutdown().await);
        let mut answer = Vec::new();
        wait::within("the end", PATIENCE, async {
            drop(stream.read_to_end(&mut answer).await);
            Ok(())
        })
        .await?;
        let answer = String::from_utf8_lossy(&answer).to_lowercase();
        let request = request.lines().next().unwrap_or_default();
        ensure!(
            answer.is_empty() || answer.starts_with("http/1.1 403"),
            "{request}: {answer}"
        );
        for word in ["access-control", "drawbridge", "server:", "0.1"] {
            ensure!(!answer.contains(word), "{request}: {answer}");
        }
    }
    unharmed(&sandbox, &mut link).await?;
    drop(link);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_find_the_port_get_nothing_from_it() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let daemon = world.sandbox.daemon().context("no daemon")?;
    let listening = listens(daemon)?;
    ensure!(
        listening.len() == 1 && listening[0].starts_with("0100007F:"),
        "{listening:?}"
    );
    let port = port_of(&listening[0])?;
    let page = world.browser.open(&world.site.url("/states/ok")).await?;
    let script = r#"(async () => {
        const at = '127.0.0.1:PORT/link', seen = {};
        const settled = (promise) => Promise.race([promise, new Promise((r) => setTimeout(() => r('nothing'), 3000))]);
        for (const protocols of [[], ['drawbridge']]) {
          seen['ws' + protocols] = await settled(new Promise((done) => {
            const socket = new WebSocket('ws://' + at, protocols);
            socket.onopen = () => done('open'); socket.onmessage = () => done('message'); socket.onclose = () => done('nothing');
          }));
        }
        const read = (response) => response.text().then((text) => response.type + response.status + text);
        const post = {method: 'POST', body: '{"jsonrpc":"2.0"}', headers: {'content-type': 'text/plain'}};
        for (const [name, options] of Object.entries({
          get: {}, post, opaque: {...post, mode: 'no-cors'}, preflight: {headers: {'x-a': 'b'}}})) {
          seen[name] = await settled(fetch('http://' + at, options).then(read, () => 'nothing'));
        }
        seen.events = await settled(new Promise((done) => {
          const source = new EventSource('http://' + at);
          source.onopen = () => done('open'); source.onmessage = () => done('message');
          source.onerror = () => { source.close(); done('nothing'); };
        }));
        seen.form = await settled(new Promise((done) => {
          const frame = Object.assign(document.createElement('iframe'), {name: 'f'});
          document.body.append(frame);
          const form = Object.assign(document.createElement('form'), {method: 'post', action: 'http://' + at, target: 'f'});
          document.body.append(form);
          frame.onload = () => { try { done(String(frame.contentDocument?.body?.innerText || 'nothing')); } catch { done('nothing'); } };
          form.submit();
        }));
        return seen;
      })()"#;
    let seen: Value = page.evaluate(&script.replace("PORT", &port.to_string())).await?;
    for (way, got) in seen.as_object().context("an object")? {
        let got = got.as_str().unwrap_or_default();
        ensure!(matches!(got, "nothing" | "opaque0"), "{way}: {got}");
    }
    page.close().await?;
    world
        .client
        .call(&EchoArgs {
            fill: Some(200_000),
            ..EchoArgs::default()
        })
        .await?;
    world.leaves_nothing().await
}

#[tokio::test(flavor = "multi_thread")]
async fn only_replies_and_only_in_turn_come_over_the_socket() -> Result<()> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    ensure!(sandbox.cli(LIST).await?.0 == 0);
    let frames = [
        "1\n{\"type\":\"pong\",\"nonce\":1}",
        "1\n{\"type\":\"hello\"}",
        "2\n{\"type\":\"reply\",\"id\":1,\"done\":{\"got\":\"closed\"}}",
        "no number",
        "1\nno json",
    ];
    for frame in frames {
        let (mut link, offer) = played(&sandbox).await?;
        let mut socket = connected(offer.port, PATH, &[]).await?;
        ensure!(
            answered(&mut socket, Message::text(opening(&offer)))
                .await?
                .is_some()
        );
        socket.send(Message::text(frame)).await?;
        let said = wait::within("the end of the link", PATIENCE, link.next()).await?;
        ensure!(
            matches!(said, Some(ToExtension::Refused { .. })),
            "{frame}: {said:?}"
        );
        ensure!(
            wait::within("the end", PATIENCE, link.next()).await?.is_none(),
            "{frame}"
        );
        // Its socket dies with it.
        let end = wait::within("the end of the socket", PATIENCE, async {
            Ok(socket.next().await)
        })
        .await?;
        ensure!(!matches!(end, Some(Ok(Message::Text(_)))), "{end:?}");
    }
    sandbox.stop().await
}

/// A daemon that a test plays: it took the lock and the socket of the real one.
struct FakeDaemon {
    link: tokio::net::UnixStream,
    assembler: Assembler,
}

impl FakeDaemon {
    async fn next(&mut self) -> Result<Value> {
        wait::within("a message of the extension", Duration::from_secs(15), async {
            loop {
                let frame = read_frame(&mut self.link).await?.context("the link ended")?;
                if let Some(whole) = self.assembler.take(String::from_utf8(frame)?)? {
                    return Ok(serde_json::from_str(&whole)?);
                }
            }
        })
        .await
    }

    async fn send(&mut self, message: Value) -> Result<()> {
        write_frame(&mut self.link, message.to_string().as_bytes()).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_squatted_port_learns_nothing_and_gets_nothing() -> Result<()> {
    let world = World::fresh(Options::default()).await?;
    let run = world.sandbox.home().join("run");
    let lock = File::options().write(true).open(run.join("daemon.lock"))?;
    wait::until("the daemon's lock", PATIENCE, async || {
        // A native host may have started another one meanwhile.
        drop(world.sandbox.kill_daemon());
        Ok(lock.try_lock().is_ok().then_some(()))
    })
    .await?;
    drop(std::fs::remove_file(run.join("daemon.sock")));
    let daemon = tokio::net::UnixListener::bind(run.join("daemon.sock"))?;
    let squatter = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let offer = json!({"port": squatter.local_addr()?.port(), "id": "1".repeat(32), "token": "2".repeat(64)});

    let mut fake = loop {
        let (link, _) = wait::within("the native host", Duration::from_secs(15), async {
            Ok(daemon.accept().await?)
        })
        .await?;
        let mut fake = FakeDaemon {
            link,
            assembler: Assembler::default(),
        };
        if fake.next().await?["type"] == "link" {
            break fake;
        }
    };
    ensure!(fake.next().await?["type"] == "hello");
    fake.send(json!({"type": "challenge", "nonce": "3".repeat(64)}))
        .await?;
    ensure!(fake.next().await?["type"] == "proof");
    let welcome = json!({"type": "welcome", "protocol": 1, "build": "0.1.0", "name": "n", "liveSessions": [], "socket": offer});
    fake.send(welcome).await?;

    let (stream, _) = wait::within("the extension", PATIENCE, async { Ok(squatter.accept().await?) }).await?;
    let mut socket = tokio_tungstenite::accept_async(stream).await?;
    let first = wait::within("a proof", PATIENCE, async { Ok(socket.next().await) }).await?;
    let Some(Ok(Message::Text(first))) = first else {
        bail!("{first:?}")
    };
    ensure!(!first.contains(&"2".repeat(64)), "the token itself");
    let opening: Opening = serde_json::from_str(&first)?;
    // What it would take is what it was just given, or anything else that it can make without the token.
    let accepting = Accepting {
        nonce: opening.nonce.clone(),
        mac: opening.mac.clone(),
    };
    socket.send(Message::text(json!(accepting).to_string())).await?;
    let next = wait::within("the end", PATIENCE, async { Ok(socket.next().await) }).await?;
    ensure!(
        !matches!(next, Some(Ok(Message::Text(_) | Message::Binary(_)))),
        "{next:?}"
    );

    // Everything works without it.
    let call = json!({"type": "call", "id": 1, "deadlineMs": 20_000,
        "call": {"do": "echo", "text": "", "fill": 1_000_000, "waitMs": 0}});
    fake.send(call).await?;
    let (mut wanted, mut replied) = (false, false);
    while !(wanted && replied) {
        let message = fake.next().await?;
        match message["type"].as_str() {
            Some("wantSocket") => wanted = true,
            Some("reply") => {
                replied = message["done"]["fill"]
                    .as_str()
                    .is_some_and(|fill| fill.len() == 1_000_000)
            }
            _ => {}
        }
    }
    drop((fake, daemon, lock));
    world.leaves_nothing().await
}
