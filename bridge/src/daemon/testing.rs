//! A daemon without sockets: browsers and clients in memory, over the same frames.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::error::{Error, Outcome};
use drawbridge_protocol::frame::Assembler;
use drawbridge_protocol::ids::{CallId, SessionId, TabId};
use drawbridge_protocol::link::{
    Answer, BrowserCall, BrowserReply, Hello, OwnedTab, ToBridge, ToExtension, Welcome,
};
use drawbridge_protocol::local::{Admin, ClientHello, FromDaemon, LinkHello, ToDaemon};
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::version::{BUILD, EXTENSION_ID, PROTOCOL};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::task::LocalSet;
use tokio::time::timeout;

use super::access::Policy;
use super::hub::Hub;
use super::listener;
use super::sessions::Caller;
use super::store::Store;
use crate::wire::{self, FrameReader};

/// How long a test waits for anything.
const PATIENCE: Duration = Duration::from_secs(10);

/// Runs a test on one thread, as the daemon runs.
pub(super) fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    LocalSet::new().block_on(&runtime, test);
}

/// The state of a daemon in a folder of its own.
pub(super) struct Stage {
    pub(super) hub: Rc<Hub>,
    pub(super) folder: TempDir,
}

impl Stage {
    pub(super) async fn new(policy: Policy) -> Self {
        Self::at(tempfile::tempdir().unwrap(), policy).await
    }

    /// A daemon that finds what an earlier one left.
    pub(super) async fn at(folder: TempDir, policy: Policy) -> Self {
        let store = Store::open(&folder.path().join("drawbridge.db")).unwrap();
        Self {
            hub: Hub::load(store, policy).await.unwrap(),
            folder,
        }
    }

    pub(super) async fn client(&self, id: &str, connection: u64) -> Client {
        let (mut reader, mut writer) = self.connect(connection);
        let hello = ClientHello {
            protocol: PROTOCOL,
            build: BUILD.into(),
            client: id.into(),
            name: id.into(),
        };
        send(&mut writer, &ToDaemon::Client(hello)).await;
        let first = reader.message().await.unwrap().unwrap();
        assert!(matches!(first, FromDaemon::Welcome { .. }), "{first:?}");
        Client {
            reader,
            writer,
            next: 1,
            caller: Caller {
                client: id.into(),
                connection,
            },
        }
    }

    /// A browser that said hello and was welcomed.
    pub(super) async fn browser(&self, target: &str) -> Browser {
        let mut browser = self.stranger(target, PROTOCOL, Vec::new()).await;
        browser.welcome = match browser.next().await.unwrap() {
            ToExtension::Welcome(welcome) => Some(welcome),
            other => panic!("{other:?}"),
        };
        browser
    }

    /// A browser that said hello.
    pub(super) async fn stranger(&self, target: &str, protocol: u32, owned: Vec<OwnedTab>) -> Browser {
        let (reader, mut writer) = self.connect(0);
        let local = LinkHello {
            protocol: PROTOCOL,
            build: BUILD.into(),
            origin: format!("chrome-extension://{EXTENSION_ID}/"),
            browser_pid: 7,
            label: Some("profile".into()),
        };
        send(&mut writer, &ToDaemon::Link(local)).await;
        let hello = Hello {
            protocol,
            build: "0.1.0".into(),
            capability_revision: 1,
            target: target.into(),
            browser: "Chromium".into(),
            browser_version: "156".into(),
            attempt: 1,
            owned,
        };
        send(&mut writer, &ToBridge::Hello(hello)).await;
        Browser {
            reader,
            writer,
            assembler: Assembler::default(),
            welcome: None,
        }
    }

    fn connect(&self, connection: u64) -> (FrameReader<ReadHalf<DuplexStream>>, WriteHalf<DuplexStream>) {
        let (near, far) = duplex(1 << 20);
        let (far_reader, far_writer) = split(far);
        let hub = Rc::clone(&self.hub);
        tokio::task::spawn_local(listener::serve(hub, far_reader, far_writer, connection));
        let (reader, writer) = split(near);
        (FrameReader::new(reader), writer)
    }
}

async fn send<T: serde::Serialize>(writer: &mut WriteHalf<DuplexStream>, message: &T) {
    wire::write(writer, &wire::text(message).unwrap()).await.unwrap();
}

/// A client's end of its connection.
pub(super) struct Client {
    reader: FrameReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    next: u64,
    pub(super) caller: Caller,
}

impl Client {
    /// Sends a call and leaves it running.
    pub(super) async fn begin(&mut self, tool: &str, args: Value) -> CallId {
        let id = self.number();
        send(
            &mut self.writer,
            &ToDaemon::Call {
                id,
                tool: tool.into(),
                args,
            },
        )
        .await;
        id
    }

    pub(super) async fn cancel(&mut self, id: CallId) {
        send(&mut self.writer, &ToDaemon::Cancel { id }).await;
    }

    /// The next reply, which must be to this call.
    pub(super) async fn reply(&mut self, id: CallId) -> Result<Value, Error> {
        let message = timeout(PATIENCE, self.reader.message::<FromDaemon>())
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        match message {
            FromDaemon::Reply {
                id: to,
                outcome: Outcome(result),
                hops,
            } => {
                assert_eq!(to, id);
                assert!(hops.is_empty() || hops[0].name == "bridge");
                result
            }
            other => panic!("{other:?}"),
        }
    }

    pub(super) async fn call(&mut self, tool: &str, args: Value) -> Result<Value, Error> {
        let id = self.begin(tool, args).await;
        self.reply(id).await
    }

    pub(super) async fn admin(&mut self, admin: Admin) -> Result<Value, Error> {
        let id = self.number();
        send(&mut self.writer, &ToDaemon::Admin { id, admin }).await;
        self.reply(id).await
    }

    fn number(&mut self) -> CallId {
        self.next += 1;
        CallId(self.next)
    }
}

/// An extension's end of its link.
pub(super) struct Browser {
    reader: FrameReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    assembler: Assembler,
    pub(super) welcome: Option<Welcome>,
}

impl Browser {
    /// The next message; `None` when the link was closed.
    pub(super) async fn next(&mut self) -> Option<ToExtension> {
        loop {
            let frame = timeout(PATIENCE * 10, self.reader.next())
                .await
                .unwrap()
                .unwrap()?;
            if let Some(whole) = self.assembler.take(String::from_utf8(frame).unwrap()).unwrap() {
                return Some(serde_json::from_str(&whole).unwrap());
            }
        }
    }

    /// The next call; pings are answered on the way.
    pub(super) async fn call(&mut self) -> (CallId, BrowserCall) {
        loop {
            match self.next().await.unwrap() {
                ToExtension::Call { id, call, .. } => return (id, call),
                ToExtension::Ping { nonce } => self.send(&ToBridge::Pong { nonce }).await,
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next message, which must cancel this call.
    pub(super) async fn cancelled(&mut self, id: CallId) {
        assert_eq!(self.next().await, Some(ToExtension::Cancel { id }));
    }

    pub(super) async fn send(&mut self, message: &impl serde::Serialize) {
        send(&mut self.writer, message).await;
    }

    pub(super) async fn done(&mut self, id: CallId, reply: BrowserReply) {
        self.send(&ToBridge::Reply {
            id,
            result: Answer::Done(reply),
            hops: Vec::new(),
        })
        .await;
    }

    pub(super) async fn failed(&mut self, id: CallId, error: Error) {
        self.send(&ToBridge::Reply {
            id,
            result: Answer::Failed(error),
            hops: Vec::new(),
        })
        .await;
    }

    /// Answers one `OpenTab` and says for which session.
    pub(super) async fn opens(&mut self, tab: &str, at: &str) -> SessionId {
        let (id, call) = self.call().await;
        let BrowserCall::OpenTab { session, .. } = call else {
            panic!("{call:?}")
        };
        self.done(
            id,
            BrowserReply::Opened {
                tab: tab.into(),
                url: at.into(),
                phase: Phase::Load,
            },
        )
        .await;
        session
    }

    /// Answers one `EndSession`.
    pub(super) async fn ends(&mut self, session: &SessionId, closed: &[&str]) {
        let (id, call) = self.call().await;
        assert_eq!(
            call,
            BrowserCall::EndSession {
                session: session.clone()
            }
        );
        let closed = closed.iter().map(|tab| TabId::from(*tab)).collect();
        self.done(
            id,
            BrowserReply::Ended {
                closed,
                pending: Vec::new(),
            },
        )
        .await;
    }

    /// Answers one `Document`.
    pub(super) async fn shows(&mut self, document: &str, url: &str) {
        let (id, call) = self.call().await;
        assert!(matches!(call, BrowserCall::Document { .. }), "{call:?}");
        self.done(
            id,
            BrowserReply::Document {
                document: document.into(),
                url: url.into(),
            },
        )
        .await;
    }
}
