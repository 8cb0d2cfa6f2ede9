//! A daemon without sockets: browsers and clients in memory, over the same frames.

use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::Secret;
use drawbridge_protocol::act::{Acted, Action, Wait, Waited};
use drawbridge_protocol::approval::{Approval, Verdict};
use drawbridge_protocol::error::{Error, Outcome};
use drawbridge_protocol::frame::Assembler;
use drawbridge_protocol::ids::{ApprovalId, CallId, DocumentId, SessionId, TabId};
use drawbridge_protocol::link::{
    Answer, BrowserCall, BrowserReply, FrameSeen, Hello, OwnedTab, Place, ToBridge, ToExtension, Welcome,
    proof_text,
};
use drawbridge_protocol::local::{Admin, ClientHello, FromDaemon, LinkHello, ToDaemon};
use drawbridge_protocol::page::{Locator, PageFound, PageRead};
use drawbridge_protocol::tools::page::Phase;
use drawbridge_protocol::version::{BUILD, EXTENSION_ID, PROTOCOL};
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::io::{DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::task::LocalSet;
use tokio::time::timeout;

use super::access::Policy;
use super::hub::Hub;
use super::listener;
use super::store::Store;
use crate::hex;
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
    /// A stage with a browser `one` and a client `cli`, admitted, that has a session in `t1.a`.
    pub(super) async fn with_session(policy: Policy) -> (Self, Browser, Client) {
        let stage = Self::new(policy).await;
        let mut browser = stage.browser("one").await;
        let mut client = stage.client("cli", 1).await;
        if policy == Policy::Strict {
            stage.hub.access.admit(&"cli".into()).await.unwrap();
        }
        let id = client.begin("browser_start", json!({})).await;
        browser.opens("t1.a", "about:blank").await;
        client.reply(id).await.unwrap();
        (stage, browser, client)
    }

    pub(super) async fn new(policy: Policy) -> Self {
        Self::at(tempfile::tempdir().unwrap(), policy).await
    }

    /// A daemon that finds what an earlier one left.
    pub(super) async fn at(folder: TempDir, policy: Policy) -> Self {
        let store = Store::open(&folder.path().join("drawbridge.db")).unwrap();
        Self {
            hub: Hub::load("home".to_owned(), store, policy).await.unwrap(),
            folder,
        }
    }

    pub(super) async fn client(&self, id: &str, connection: u64) -> Client {
        self.client_with(id, Some(id), connection).await
    }

    /// A client with another secret than its own, or with none.
    pub(super) async fn client_with(&self, id: &str, secret: Option<&str>, connection: u64) -> Client {
        let (mut reader, mut writer) = self.connect(connection);
        let hello = ClientHello {
            protocol: PROTOCOL,
            build: BUILD.into(),
            client: id.into(),
            name: id.into(),
            secret: secret.map(Secret::new),
        };
        send(&mut writer, &ToDaemon::Client(hello)).await;
        let first = reader.message().await.unwrap().unwrap();
        assert!(matches!(first, FromDaemon::Welcome { .. }), "{first:?}");
        Client {
            reader,
            writer,
            next: 1,
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
        self.process(7, target, protocol, owned).await
    }

    /// A browser with a process id that said hello.
    pub(super) async fn process(
        &self,
        pid: u32,
        target: &str,
        protocol: u32,
        owned: Vec<OwnedTab>,
    ) -> Browser {
        let key = key_of(target);
        self.impostor(pid, target, protocol, owned, &key, &key).await
    }

    /// A browser that names one key and signs with another.
    pub(super) async fn impostor(
        &self,
        pid: u32,
        target: &str,
        protocol: u32,
        owned: Vec<OwnedTab>,
        key: &SigningKey,
        signer: &SigningKey,
    ) -> Browser {
        let (reader, mut writer) = self.connect(0);
        let local = LinkHello {
            protocol: PROTOCOL,
            build: BUILD.into(),
            origin: format!("chrome-extension://{EXTENSION_ID}/"),
            browser_pid: pid,
            label: Some("profile".into()),
        };
        send(&mut writer, &ToDaemon::Link(local)).await;
        let hello = Hello {
            protocol,
            build: "0.1.0".into(),
            capability_revision: 1,
            target: target.into(),
            key: hex::encode(key.verifying_key().to_sec1_point(false).as_bytes()),
            browser: "Chromium".into(),
            browser_version: "156".into(),
            attempt: 1,
            owned,
            oldest_bridge: None,
        };
        send(&mut writer, &ToBridge::Hello(hello)).await;
        let mut browser = Browser {
            reader,
            writer,
            assembler: Assembler::default(),
            welcome: None,
            refused: None,
        };
        match browser.next().await {
            Some(ToExtension::Challenge { nonce }) => {
                let signature: Signature = signer.sign(proof_text(&nonce, &target.into()).as_bytes());
                let signature = hex::encode(&signature.to_bytes());
                browser.send(&ToBridge::Proof { signature }).await;
            }
            other => browser.refused = other,
        }
        browser
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

/// The key that a profile of this name has.
pub(super) fn key_of(target: &str) -> SigningKey {
    SigningKey::from_slice(&Sha256::digest(target)).unwrap()
}

async fn send<T: serde::Serialize>(writer: &mut WriteHalf<DuplexStream>, message: &T) {
    wire::write(writer, &wire::text(message).unwrap()).await.unwrap();
}

/// A client's end of its connection.
pub(super) struct Client {
    reader: FrameReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    next: u64,
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
        let id = self.begin_admin(admin).await;
        self.reply(id).await
    }

    /// Sends a command and leaves it running.
    pub(super) async fn begin_admin(&mut self, admin: Admin) -> CallId {
        let id = self.number();
        send(&mut self.writer, &ToDaemon::Admin { id, admin }).await;
        id
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
    /// What came in place of a challenge.
    refused: Option<ToExtension>,
}

impl Browser {
    /// The next message; `None` when the link was closed.
    pub(super) async fn next(&mut self) -> Option<ToExtension> {
        if let Some(refused) = self.refused.take() {
            return Some(refused);
        }
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
                // Questions to a person; most tests let them be.
                ToExtension::Ask { .. } | ToExtension::Withdraw { .. } | ToExtension::Paired => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next question to a person; pings are answered on the way.
    pub(super) async fn asked(&mut self) -> Approval {
        loop {
            match self.next().await.unwrap() {
                ToExtension::Ask { approval } => return approval,
                ToExtension::Ping { nonce } => self.send(&ToBridge::Pong { nonce }).await,
                other => panic!("{other:?}"),
            }
        }
    }

    /// What a person answers.
    pub(super) async fn decides(&mut self, id: &ApprovalId, answer: Verdict) {
        let id = id.clone();
        self.send(&ToBridge::Decision { id, answer }).await;
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
                title: "\u{202e}What it says\nof itself".to_owned(),
                frames: Vec::new(),
            },
        )
        .await;
    }

    /// Answers one `Document` with frames: document, parent, address.
    pub(super) async fn shows_frames(&mut self, document: &str, url: &str, frames: &[[&str; 3]]) {
        let (id, call) = self.call().await;
        assert!(matches!(call, BrowserCall::Document { .. }), "{call:?}");
        let frames = frames.iter().map(|[document, parent, url]| FrameSeen {
            document: (*document).into(),
            parent: (*parent).into(),
            url: (*url).to_owned(),
        });
        self.done(
            id,
            BrowserReply::Document {
                document: document.into(),
                url: url.into(),
                title: String::new(),
                frames: frames.collect(),
            },
        )
        .await;
    }

    /// Answers one `Read` of a document and says what it was asked.
    pub(super) async fn reads(&mut self, url: &str, found: PageFound, next: u32) -> ReadAsked {
        let (id, call) = self.call().await;
        let BrowserCall::Read {
            place,
            frames,
            ask,
            next_ref,
        } = call
        else {
            panic!("{call:?}")
        };
        let document = match &place {
            Place::Tab { document, .. } => document.clone(),
            Place::Private { .. } => "private".into(),
        };
        self.done(
            id,
            BrowserReply::Read {
                document,
                url: url.into(),
                title: "A page".into(),
                found: Box::new(found),
                next_ref: next,
            },
        )
        .await;
        ReadAsked {
            frames: frames.map(|frames| frames.into_iter().map(|frame| frame.0).collect()),
            ask: *ask,
            next_ref,
        }
    }
}

impl Browser {
    /// Takes one `Act` and leaves it unanswered.
    pub(super) async fn acting(&mut self) -> (CallId, ActAsked) {
        let (id, call) = self.call().await;
        let BrowserCall::Act {
            place,
            frames,
            may,
            target,
            action,
            settle_ms,
            next_ref,
        } = call
        else {
            panic!("{call:?}")
        };
        let Place::Tab { document, .. } = place else {
            panic!("{place:?}")
        };
        let words = |documents: Vec<DocumentId>| -> Vec<String> {
            documents.into_iter().map(|document| document.0).collect()
        };
        let asked = ActAsked {
            document: document.0,
            frames: words(frames.unwrap_or_default()),
            act: words(may.act),
            submit: words(may.submit),
            target: target.map(|target| *target),
            action: *action,
            settle_ms,
            next_ref,
        };
        (id, asked)
    }

    /// Answers one `Act` and says what it asked.
    pub(super) async fn acts(&mut self, acted: Acted) -> ActAsked {
        let (id, asked) = self.acting().await;
        let next_ref = asked.next_ref;
        let acted = Box::new(acted);
        self.done(id, BrowserReply::Acted { acted, next_ref }).await;
        asked
    }

    /// Refuses one `Act` and says what it asked.
    pub(super) async fn fails_act(&mut self, error: Error) -> ActAsked {
        let (id, asked) = self.acting().await;
        self.failed(id, error).await;
        asked
    }

    /// Answers one `Wait` and says what it asked.
    pub(super) async fn waits(&mut self, url: &str, waited: Waited) -> (String, Wait) {
        let (id, call) = self.call().await;
        let BrowserCall::Wait { place, wait, .. } = call else {
            panic!("{call:?}")
        };
        let Place::Tab { document, .. } = place else {
            panic!("{place:?}")
        };
        let url = url.to_owned();
        self.done(id, BrowserReply::Waited { waited, url }).await;
        (document.0, *wait)
    }
}

/// What an `Act` asked.
#[derive(Debug)]
pub(super) struct ActAsked {
    pub(super) document: String,
    pub(super) frames: Vec<String>,
    pub(super) act: Vec<String>,
    pub(super) submit: Vec<String>,
    pub(super) target: Option<Locator>,
    pub(super) action: Action,
    pub(super) settle_ms: u32,
    pub(super) next_ref: u32,
}

/// What a `Read` asked.
#[derive(Debug)]
pub(super) struct ReadAsked {
    pub(super) frames: Option<Vec<String>>,
    pub(super) ask: PageRead,
    pub(super) next_ref: u32,
}
