//! The extension's side of a link, played by a test.

use anyhow::{Context, Result};
use drawbridge_protocol::frame::{self, Assembler};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::{
    Answer, BrowserCall, BrowserReply, Hello, ToBridge, ToExtension, Welcome, proof_text,
};
use drawbridge_protocol::local::{LinkHello, ToDaemon};
use drawbridge_protocol::version;
use drawbridge_tests::client::{read_frame, write_frame};
use drawbridge_tests::sandbox::Sandbox;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;

/// The profile id that it names.
const TARGET: &str = "played-by-a-test";

/// Opens a connection to the daemon's socket.
pub(crate) async fn socket(sandbox: &Sandbox) -> Result<UnixStream> {
    let path = sandbox.home().join("run/daemon.sock");
    UnixStream::connect(&path)
        .await
        .with_context(|| path.display().to_string())
}

/// The native host's introduction of a browser.
pub(crate) fn link_hello() -> ToDaemon {
    ToDaemon::Link(LinkHello {
        protocol: version::PROTOCOL,
        build: version::BUILD.to_owned(),
        origin: format!("chrome-extension://{}/", version::EXTENSION_ID),
        browser_pid: std::process::id(),
        label: Some("played".to_owned()),
    })
}

fn signer() -> SigningKey {
    SigningKey::from_slice(&[7; 32]).expect("a key")
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The extension's introduction.
pub(crate) fn hello() -> ToBridge {
    ToBridge::Hello(introduction())
}

/// What it says of itself.
pub(crate) fn introduction() -> Hello {
    Hello {
        protocol: version::PROTOCOL,
        build: version::BUILD.to_owned(),
        capability_revision: version::CAPABILITY_REVISION,
        target: TARGET.into(),
        key: hex(signer().verifying_key().to_sec1_point(false).as_bytes()),
        browser: "Chromium".to_owned(),
        browser_version: "156".to_owned(),
        attempt: 1,
        owned: Vec::new(),
        oldest_bridge: None,
    }
}

/// Both directions of a link, from the extension's end.
pub(crate) struct Played<R, W> {
    pub(crate) source: R,
    pub(crate) sink: W,
    assembler: Assembler,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Played<R, W> {
    /// Nothing was said yet.
    pub(crate) fn over(source: R, sink: W) -> Self {
        Self {
            source,
            sink,
            assembler: Assembler::default(),
        }
    }

    /// Says hello and takes the welcome.
    pub(crate) async fn introduce(&mut self) -> Result<()> {
        self.greet().await.map(drop)
    }

    /// Says hello, proves the key and gives the welcome.
    pub(crate) async fn greet(&mut self) -> Result<Welcome> {
        self.greet_as(&hello()).await
    }

    /// The same with another hello, which names the same profile and key.
    pub(crate) async fn greet_as(&mut self, hello: &ToBridge) -> Result<Welcome> {
        self.send(hello).await?;
        let nonce = match self.next().await? {
            Some(ToExtension::Challenge { nonce }) => nonce,
            other => anyhow::bail!("no challenge: {other:?}"),
        };
        let signature: Signature = signer().sign(proof_text(&nonce, &TARGET.into()).as_bytes());
        let signature = hex(&signature.to_bytes());
        self.send(&ToBridge::Proof { signature }).await?;
        match self.next().await? {
            Some(ToExtension::Welcome(welcome)) => Ok(welcome),
            other => anyhow::bail!("no welcome: {other:?}"),
        }
    }

    /// Sends a message, in parts where needed.
    pub(crate) async fn send(&mut self, message: &ToBridge) -> Result<()> {
        for frame in frame::cut(serde_json::to_string(message)?, 1)? {
            write_frame(&mut self.sink, frame.as_bytes()).await?;
        }
        Ok(())
    }

    /// The next message; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<ToExtension>> {
        while let Some(frame) = read_frame(&mut self.source).await? {
            if let Some(whole) = self.assembler.take(String::from_utf8(frame)?)? {
                return Ok(Some(serde_json::from_str(&whole)?));
            }
        }
        Ok(None)
    }

    /// Answers the next echo.
    pub(crate) async fn answer(&mut self) -> Result<()> {
        loop {
            match self.next().await?.context("the link ended")? {
                ToExtension::Call {
                    id,
                    call: BrowserCall::Echo { text, .. },
                    ..
                } => return self.echo(id, text).await,
                ToExtension::Ping { nonce } => self.send(&ToBridge::Pong { nonce }).await?,
                other => anyhow::bail!("{other:?}"),
            }
        }
    }

    async fn echo(&mut self, id: CallId, text: String) -> Result<()> {
        let fill = String::new();
        self.send(&ToBridge::Reply {
            id,
            result: Answer::Done(BrowserReply::Echo { text, fill }),
            hops: Vec::new(),
        })
        .await
    }
}
