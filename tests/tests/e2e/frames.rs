//! Frames of every length and shape, at every door that takes them: an error with a code, or the whole message. Never a
//! crash, never memory for what did not arrive.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::frame::{BROWSER_LIMIT, MESSAGE_LIMIT};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::{Answer, ToBridge, ToExtension};
use drawbridge_protocol::local::{ClientHello, FromDaemon, ToDaemon};
use drawbridge_protocol::tools::debug::EchoArgs;
use drawbridge_protocol::tools::session::{ListArgs, StatusArgs};
use drawbridge_protocol::{Code, Error, Outcome, version};
use drawbridge_tests::client::{Client, read_frame, write_frame};
use drawbridge_tests::sandbox::{Options, Sandbox, processes};
use drawbridge_tests::wait;
use serde_json::json;
use tokio::io::AsyncWriteExt;

use crate::extension::{Played, hello, link_hello, socket};

const MIB: usize = 1024 * 1024;

/// How long a door may take to close.
const CLOSES: Duration = Duration::from_secs(3);

/// Lengths that are taken whole wherever a message may have them.
const TAKEN: [usize; 6] = [
    BROWSER_LIMIT - 1,
    BROWSER_LIMIT,
    BROWSER_LIMIT + 1,
    3 * MIB,
    MESSAGE_LIMIT - 1,
    MESSAGE_LIMIT,
];

/// Bytes that no door takes, and what it says to them.
fn refused() -> Vec<(&'static str, Vec<u8>, Code)> {
    let framed = |body: &[u8]| [&(body.len() as u32).to_le_bytes()[..], body].concat();
    let stated = |length: u32| [&length.to_le_bytes()[..], b"{\"type\""].concat();
    vec![
        ("no bytes", stated(0), Code::InvalidArgument),
        (
            "four bytes that are no message",
            framed(b"null"),
            Code::InvalidArgument,
        ),
        (
            "one byte over 64 MiB",
            stated(MESSAGE_LIMIT as u32 + 1),
            Code::TooLarge,
        ),
        ("4 GiB - 1", stated(u32::MAX), Code::TooLarge),
        ("a frame that breaks off", stated(100), Code::InvalidArgument),
        ("a length that breaks off", vec![9, 0], Code::InvalidArgument),
        ("no JSON", framed(b"GET / HTTP/1.1\r\n"), Code::InvalidArgument),
        (
            "no UTF-8",
            framed(b"{\"type\":\"\xff\xfe\"}"),
            Code::InvalidArgument,
        ),
        ("zeros", framed(&[0; 64]), Code::InvalidArgument),
        (
            "deep nesting",
            framed("[".repeat(100_000).as_bytes()),
            Code::InvalidArgument,
        ),
        (
            "deep nesting in an argument",
            framed(
                format!(
                    "{{\"type\":\"call\",\"id\":7,\"tool\":\"x\",\"args\":{}",
                    "{\"a\":".repeat(100_000)
                )
                .as_bytes(),
            ),
            Code::InvalidArgument,
        ),
        (
            "an unknown message",
            framed(br#"{"type":"other"}"#),
            Code::InvalidArgument,
        ),
        ("a list", framed(br#"["type"]"#), Code::InvalidArgument),
    ]
}

/// A home whose daemon runs, and a client that watches over it.
async fn daemon() -> Result<(Sandbox, Client)> {
    let sandbox = Sandbox::without_browser(&Options::default())?;
    let (code, text) = sandbox
        .cli(["call", "browser_session", r#"{"action":"list"}"#])
        .await?;
    ensure!(code == 0, "{text}");
    let client = sandbox.client("watcher").await?;
    Ok((sandbox, client))
}

/// Memory of the daemon above what it had, while something is done.
async fn grown(client: &Client, work: impl Future<Output = Result<()>>) -> Result<u64> {
    processes::forget_peak_memory(client.daemon)?;
    let before = processes::peak_memory(client.daemon)?;
    work.await?;
    client.call(&ListArgs::default()).await?;
    Ok(processes::peak_memory(client.daemon)?.saturating_sub(before))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_door_says_what_is_wrong_and_closes() -> Result<()> {
    let (sandbox, client) = daemon().await?;
    let grown = grown(&client, async {
        for greeted in [false, true] {
            for (name, bytes, code) in refused() {
                let said = at_the_clients_door(&sandbox, greeted, &bytes)
                    .await
                    .with_context(|| format!("{name}, greeted: {greeted}"))?;
                assert_eq!(said.code, code, "{name}, greeted: {greeted}: {said}");
                assert!(!said.message.contains("HTTP"), "{said}");
            }
        }
        Ok(())
    })
    .await?;
    assert!(grown < 8 * MIB as u64, "{grown} bytes more at once");
    assert_eq!(sandbox.daemon(), Some(client.daemon));
    drop(client);
    sandbox.stop().await
}

/// Writes bytes, and no more, where a client speaks; the error that comes before the end.
async fn at_the_clients_door(sandbox: &Sandbox, greeted: bool, bytes: &[u8]) -> Result<Error> {
    let mut stream = socket(sandbox).await?;
    if greeted {
        write_frame(&mut stream, &serde_json::to_vec(&client_hello())?).await?;
        let welcome = read_frame(&mut stream).await?.context("closed")?;
        ensure!(matches!(
            serde_json::from_slice(&welcome)?,
            FromDaemon::Welcome { .. }
        ));
    }
    stream.write_all(bytes).await?;
    stream.shutdown().await?;
    let said = wait::within("the door to close", CLOSES, async {
        let said = read_frame(&mut stream).await?.context("closed without a word")?;
        ensure!(
            read_frame(&mut stream).await?.is_none(),
            "it goes on after {said:?}"
        );
        Ok(said)
    })
    .await?;
    match serde_json::from_slice(&said)? {
        FromDaemon::Refused { error } => Ok(error),
        other => anyhow::bail!("{other:?}"),
    }
}

fn client_hello() -> ToDaemon {
    ToDaemon::Client(ClientHello {
        protocol: version::PROTOCOL,
        build: version::BUILD.to_owned(),
        client: "stranger".into(),
        name: "stranger".to_owned(),
        secret: None,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_door_takes_whole_messages_up_to_the_limit() -> Result<()> {
    let (sandbox, client) = daemon().await?;
    let grown = grown(&client, async {
        let mut stream = socket(&sandbox).await?;
        write_frame(&mut stream, &serde_json::to_vec(&client_hello())?).await?;
        read_frame(&mut stream).await?.context("closed")?;
        for (index, length) in TAKEN.into_iter().enumerate() {
            let id = CallId(index as u64);
            let call = padded(length, |tool| ToDaemon::Call {
                id,
                tool,
                args: json!({}),
            })?;
            write_frame(&mut stream, &call).await?;
            let reply = wait::within("a reply", CLOSES * 3, read_frame(&mut stream)).await?;
            let reply = reply.with_context(|| format!("{length} bytes: closed"))?;
            ensure!(reply.len() < 4096, "a reply of {} bytes", reply.len());
            let FromDaemon::Reply {
                id: to,
                outcome: Outcome(Err(error)),
                ..
            } = serde_json::from_slice(&reply)?
            else {
                anyhow::bail!("{length} bytes: no error")
            };
            assert_eq!((to, error.code), (id, Code::InvalidArgument), "{length} bytes");
        }
        Ok(())
    })
    .await?;
    assert!(grown < 4 * MESSAGE_LIMIT as u64, "{grown} bytes more at once");
    comes_back(&client).await?;
    drop(client);
    sandbox.stop().await
}

/// What a large message took is given back.
async fn comes_back(client: &Client) -> Result<()> {
    wait::until("the daemon to give memory back", CLOSES, async || {
        client.call(&ListArgs::default()).await?;
        Ok((processes::proportional_set_size(client.daemon)? < 48 * MIB as u64).then_some(()))
    })
    .await
}

/// A message whose JSON has exactly so many bytes, by a text of its own.
fn padded<T: serde::Serialize>(length: usize, message: impl Fn(String) -> T) -> Result<Vec<u8>> {
    let empty = serde_json::to_vec(&message(String::new()))?.len();
    let bytes = serde_json::to_vec(&message("x".repeat(length - empty)))?;
    assert_eq!(bytes.len(), length);
    Ok(bytes)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_links_door_says_what_is_wrong_and_closes() -> Result<()> {
    let (sandbox, client) = daemon().await?;
    let half = |of: u64, index: u32| {
        let frame = format!(r#"{{"part":{{"of":{of},"index":{index},"count":9,"data":"x"}}}}"#);
        [&(frame.len() as u32).to_le_bytes()[..], frame.as_bytes()].concat()
    };
    let more = [
        (
            "a part that skips one",
            [half(1, 0), half(1, 2)].concat(),
            Code::InvalidArgument,
        ),
        ("a part of nothing", half(1, 5), Code::InvalidArgument),
        (
            "parts of too many messages",
            (0..17).flat_map(|of| half(of, 0)).collect(),
            Code::InvalidArgument,
        ),
    ];
    let grown = grown(&client, async {
        for greeted in [false, true] {
            for (name, bytes, code) in refused().into_iter().chain(more.clone()) {
                let said = at_the_links_door(&sandbox, greeted, &bytes)
                    .await
                    .with_context(|| format!("{name}, greeted: {greeted}"))?;
                assert_eq!(said.code, code, "{name}, greeted: {greeted}: {said}");
            }
        }
        Ok(())
    })
    .await?;
    assert!(grown < 8 * MIB as u64, "{grown} bytes more at once");
    let status = client.call(&StatusArgs::default()).await?;
    assert_eq!((status.connected, status.targets), (false, 0), "a link is left");
    drop(client);
    sandbox.stop().await
}

/// Writes bytes, and no more, where an extension speaks; the error that comes before the end.
async fn at_the_links_door(sandbox: &Sandbox, greeted: bool, bytes: &[u8]) -> Result<Error> {
    let mut stream = socket(sandbox).await?;
    write_frame(&mut stream, &serde_json::to_vec(&link_hello())?).await?;
    let (source, sink) = stream.into_split();
    let mut link = Played::over(source, sink);
    if greeted {
        link.introduce().await?;
    }
    link.sink.write_all(bytes).await?;
    link.sink.shutdown().await?;
    wait::within("the door to close", CLOSES, async {
        let said = link.next().await?.context("closed without a word")?;
        ensure!(link.next().await?.is_none(), "it goes on after {said:?}");
        match said {
            ToExtension::Refused { error } => Ok(error),
            other => anyhow::bail!("{other:?}"),
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_links_door_takes_whole_messages_up_to_the_limit() -> Result<()> {
    let (sandbox, client) = daemon().await?;
    let mut stream = socket(&sandbox).await?;
    write_frame(&mut stream, &serde_json::to_vec(&link_hello())?).await?;
    let (source, sink) = stream.into_split();
    let mut link = Played::over(source, sink);
    link.introduce().await?;
    let grown = grown(&client, async {
        for length in TAKEN {
            write_frame(&mut link.sink, &padded(length, nobodys_reply)?).await?;
            let call = client.start(&EchoArgs {
                text: "still there".to_owned(),
                ..EchoArgs::default()
            })?;
            link.answer()
                .await
                .with_context(|| format!("after {length} bytes"))?;
            assert_eq!(call.result::<EchoArgs>().await?.text, "still there");
        }
        Ok(())
    })
    .await?;
    assert!(grown < 4 * MESSAGE_LIMIT as u64, "{grown} bytes more at once");
    comes_back(&client).await?;
    drop((link, client));
    sandbox.stop().await
}

/// A reply to a call that nobody made.
fn nobodys_reply(message: String) -> ToBridge {
    let error = Error {
        code: Code::Internal,
        message,
        hint: None,
        effect: None,
        data: None,
    };
    ToBridge::Reply {
        id: CallId(999_999),
        result: Answer::Failed(error),
        hops: Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_native_host_passes_nothing_on_of_what_is_no_frame() -> Result<()> {
    let (sandbox, client) = daemon().await?;
    for (name, bytes, _) in refused() {
        let mut child = sandbox
            .native_host("hand")?
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (source, sink) = (child.stdout.take(), child.stdin.take());
        let mut link = Played::over(source.context("stdout")?, sink.context("stdin")?);
        link.introduce().await?;
        let Played {
            mut source, mut sink, ..
        } = link;
        sink.write_all(&bytes).await?;
        // What is stated too large, or is empty, ends the host while its browser still holds the port.
        let held = (!name.contains("breaks off")).then_some(sink);
        let (said, output) = wait::within(name, CLOSES, async {
            let said = read_frame(&mut source).await?;
            let end = read_frame(&mut source).await?;
            ensure!(end.is_none(), "{name}: it goes on");
            Ok((said, child.wait_with_output().await?))
        })
        .await?;
        drop(held);
        // A whole frame is the daemon's to judge, and its judgement comes back as one.
        let whole = bytes.len() > 4 && bytes[..4] == (bytes.len() as u32 - 4).to_le_bytes();
        match (whole, said) {
            (true, Some(said)) => {
                let said: ToExtension = serde_json::from_slice(&said)?;
                assert!(matches!(said, ToExtension::Refused { .. }), "{name}: {said:?}");
                assert_eq!(output.status.code(), Some(2), "{name}");
            }
            (false, None) => assert_eq!(output.status.code(), Some(3), "{name}"),
            (_, said) => anyhow::bail!("{name}: {said:?}"),
        }
        assert!(!output.stderr.is_empty(), "{name}: it ends without a word");
    }
    client.call(&ListArgs::default()).await?;
    drop(client);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_native_host_relays_the_largest_message_in_little_memory() -> Result<()> {
    let (sandbox, client) = daemon().await?;
    let mut child = sandbox
        .native_host("hand")?
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut link = Played::over(
        child.stdout.take().context("stdout")?,
        child.stdin.take().context("stdin")?,
    );
    link.introduce().await?;
    let host = child.id().context("it ended")?;
    processes::forget_peak_memory(host)?;
    let before = processes::peak_memory(host)?;
    for length in TAKEN {
        write_frame(&mut link.sink, &padded(length, nobodys_reply)?).await?;
        let call = client.start(&EchoArgs {
            text: "é".repeat(MIB),
            ..EchoArgs::default()
        })?;
        link.answer()
            .await
            .with_context(|| format!("after {length} bytes"))?;
        assert!(call.result::<EchoArgs>().await?.text.len() == 2 * MIB);
    }
    let grown = processes::peak_memory(host)?.saturating_sub(before);
    assert!(grown < 4 * MIB as u64, "{grown} bytes more at once");
    drop(link.sink);
    // Nothing but whole frames until its end, and what came of itself on a slow machine are pings.
    wait::within("the host to end", CLOSES, async {
        while let Some(frame) = read_frame(&mut link.source).await? {
            let message: ToExtension = serde_json::from_slice(&frame)?;
            assert!(matches!(message, ToExtension::Ping { .. }), "{message:?}");
        }
        Ok(())
    })
    .await?;
    drop(client);
    sandbox.stop().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_hello_and_a_number_used_twice_close_the_link_and_the_client() -> Result<()> {
    let (sandbox, client) = daemon().await?;
    let again = serde_json::to_vec(&hello())?;
    let framed = [&(again.len() as u32).to_le_bytes()[..], &again].concat();
    let said = at_the_links_door(&sandbox, true, &framed).await?;
    assert_eq!(said.code, Code::InvalidArgument, "{said}");
    let again = serde_json::to_vec(&client_hello())?;
    let framed = [&(again.len() as u32).to_le_bytes()[..], &again].concat();
    let said = at_the_clients_door(&sandbox, true, &framed).await?;
    assert_eq!(said.code, Code::InvalidArgument, "{said}");
    drop(client);
    sandbox.stop().await
}
