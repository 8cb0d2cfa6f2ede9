//! What daemon and extension say to each other. Each message is one JSON text, cut by [`crate::frame`] where needed.
//!
//! The native host puts [`crate::local::LinkHello`] in front and relays everything after it unread.

use serde::{Deserialize, Serialize};

use crate::act::{Acted, Action, Dialog, DialogAnswer, History, May, Picture, PictureFormat, Wait, Waited};
use crate::approval::{Approval, Verdict};
use crate::error::Error;
use crate::ids::{ApprovalId, CallId, DocumentId, SessionId, TabId, TargetId};
use crate::outline::{Omitted, OutlineNode};
use crate::page::{Locator, PageFound, PageRead};
use crate::recipe::{Recipe, RecipeResult};
use crate::secret::Secret;
use crate::tools::page::Phase;
use crate::tools::session::Placement;
use crate::tools::tabs::Lifecycle;

/// From the daemon to the extension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToExtension {
    /// The answer to a Hello: prove that the profile holds its key. A [`ToBridge::Proof`] comes back.
    Challenge {
        /// Random, used once; what is signed is [`proof_text`].
        nonce: String,
    },
    /// A person confirmed this profile while it was connected: it takes calls from now on.
    Paired,
    /// Show a person a question on the approval page. Shown already, it stays as it is.
    Ask {
        /// The question.
        approval: Approval,
    },
    /// A question is over: answered elsewhere, or too old.
    Withdraw {
        /// Which one.
        id: ApprovalId,
    },
    /// The answer to a fitting Hello: the link is up.
    Welcome(Welcome),
    /// The answer to a Hello that does not fit; the daemon closes the link after it.
    Refused {
        /// Why, and which side to update.
        error: Error,
    },
    /// Something to do.
    Call {
        /// Pairs it with its reply.
        id: CallId,
        /// Milliseconds from now until the daemon gives up on it; the extension stops earlier.
        deadline_ms: u64,
        /// What to do.
        call: BrowserCall,
    },
    /// Stop a call; it still gets its reply, with the code `cancelled`.
    Cancel {
        /// Which one.
        id: CallId,
    },
    /// Asks for a pong.
    Ping {
        /// Comes back unchanged.
        nonce: u64,
    },
    /// The answer to [`ToBridge::WantSocket`], or a change of mind.
    Socket {
        /// Where to connect; none: large messages go over this port, in parts.
        offer: Option<SocketOffer>,
    },
    /// The end of the record of calls, to be kept by a profile that said what it had kept before.
    Record {
        /// Which home's record, as [`Welcome::home`] says.
        home: String,
        /// Where it ends now.
        end: RecordEnd,
    },
    /// A message of the socket has arrived.
    Taken {
        /// Its number there.
        number: u64,
    },
    /// A message that went over the socket before and may not have arrived.
    Again {
        /// Its number there.
        number: u64,
        /// The message; none of this kind.
        message: Box<ToExtension>,
    },
}

/// From the extension to the daemon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToBridge {
    /// The first message on a link.
    Hello(Hello),
    /// The answer to a challenge.
    Proof {
        /// ECDSA P-256 with SHA-256 over [`proof_text`], as 128 hexadecimal digits: r, then s.
        signature: String,
    },
    /// A person's answer on the approval page.
    Decision {
        /// To which question.
        id: ApprovalId,
        /// What the person said.
        answer: Verdict,
    },
    /// What came of a call.
    Reply {
        /// Which one.
        id: CallId,
        /// What came of it.
        #[serde(flatten)]
        result: Answer,
        /// Where its time went.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hops: Vec<Hop>,
    },
    /// The answer to a ping.
    Pong {
        /// As it came.
        nonce: u64,
    },
    /// A tab of a session was closed by somebody else, or with its window.
    TabGone {
        /// The session that owned it.
        session: SessionId,
        /// Which tab.
        tab: TabId,
    },
    /// What a paired profile kept of the record of calls, said once per link; from then on it is told where the record
    /// ends.
    Record {
        /// Which home's record, as [`Welcome::home`] says.
        home: String,
        /// Where it ended when the profile last heard; nothing when it never did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<RecordEnd>,
    },
    /// Asks for an offer of a socket: there is none, or it was lost.
    WantSocket,
    /// A message of the socket has arrived.
    Taken {
        /// Its number there.
        number: u64,
    },
    /// A message that went over the socket before and may not have arrived.
    Again {
        /// Its number there.
        number: u64,
        /// The message; none of this kind.
        message: Box<ToBridge>,
    },
}

/// `{"done": …}` or `{"failed": …}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// It was done.
    Done(BrowserReply),
    /// It was not, and why.
    Failed(Error),
}

/// How long one part of a call took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// Which part, such as `tab_open`, `page_load`, `read`, `tab_close`, `extension`.
    pub name: String,
    /// Milliseconds.
    pub ms: f64,
}

/// Who the extension is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    /// [`crate::version::PROTOCOL`] of the extension.
    pub protocol: u32,
    /// Version of the extension.
    pub build: String,
    /// [`crate::version::CAPABILITY_REVISION`] of the extension.
    pub capability_revision: u32,
    /// Minted once per profile and kept in it.
    pub target: TargetId,
    /// The profile's public key, P-256, uncompressed, as 130 hexadecimal digits. The private one cannot be exported.
    #[serde(default)]
    pub key: String,
    /// Name of the browser, such as `Chromium`.
    pub browser: String,
    /// Its major version.
    pub browser_version: String,
    /// Counts connections of this worker; lets the daemon tell an old link from a new one.
    pub attempt: u64,
    /// Tabs it keeps for sessions.
    pub owned: Vec<OwnedTab>,
    /// The oldest bridge protocol that it still serves; without it, only its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_bridge: Option<u32>,
}

/// What a profile signs to prove that it holds its key.
pub fn proof_text(nonce: &str, target: &TargetId) -> String {
    format!("drawbridge hello 1\n{nonce}\n{target}")
}

/// A tab that the extension opened for a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnedTab {
    /// The tab.
    pub tab: TabId,
    /// Its session.
    pub session: SessionId,
}

/// Who the daemon is, and what still lives there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// [`crate::version::PROTOCOL`] of the daemon.
    pub protocol: u32,
    /// Version of the daemon.
    pub build: String,
    /// The name people gave this target.
    pub name: String,
    /// Sessions that still live; the extension closes the tabs of every other.
    pub live_sessions: Vec<SessionId>,
    /// Whether a person still has to confirm this profile; it gets no call before that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unpaired: bool,
    /// Where large messages may go. An extension that cannot use it leaves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<SocketOffer>,
    /// Names the daemon's home; random. A paired profile keeps the end of its record of calls under it, and says so
    /// with [`ToBridge::Record`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
}

/// Where a record of calls ends. Each row's hash covers the row before it, so this covers all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordEnd {
    /// Number of the last row; it never falls.
    pub seq: u64,
    /// Its hash, hexadecimal.
    pub hash: String,
}

/// Where the daemon takes the socket of one link, once, for [`crate::socket::OFFER_MS`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SocketOffer {
    /// Port on 127.0.0.1.
    pub port: u16,
    /// Names the offer; random.
    pub id: String,
    /// What both sides prove to hold; 64 hexadecimal digits.
    pub token: Secret,
}

/// What the daemon asks of a browser. The daemon has checked grants, sessions and addresses before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BrowserCall {
    /// Answers with what it got. → [`BrowserReply::Echo`]
    Echo {
        /// Comes back.
        text: String,
        /// Characters to add.
        fill: u32,
        /// Milliseconds to wait first.
        wait_ms: u32,
    },
    /// What the browser lets the extension do; touches no page. → [`BrowserReply::Health`]
    Health,
    /// All tabs of the profile's normal windows. → [`BrowserReply::Tabs`]
    ListTabs,
    /// Opens a tab for a session. → [`BrowserReply::Opened`]
    OpenTab {
        /// The owner.
        session: SessionId,
        /// What to load; blank without. Already checked.
        url: Option<String>,
        /// Group or window.
        placement: Placement,
        /// Name on the group.
        label: Option<String>,
        /// Whether it becomes visible in its window.
        active: bool,
        /// What to wait for.
        wait_until: Phase,
    },
    /// Closes a tab of a session and sees it closed. → [`BrowserReply::Closed`]
    CloseTab {
        /// The owner.
        session: SessionId,
        /// Which tab.
        tab: TabId,
    },
    /// Closes every tab of a session. → [`BrowserReply::Ended`]
    EndSession {
        /// The owner.
        session: SessionId,
    },
    /// Which document a session's tab shows. → [`BrowserReply::Document`]
    Document {
        /// The owner.
        session: SessionId,
        /// Which tab.
        tab: TabId,
    },
    /// Loads an address. → [`BrowserReply::Navigated`]
    Navigate {
        /// The owner.
        session: SessionId,
        /// Which tab.
        tab: TabId,
        /// Already checked.
        url: String,
        /// What to wait for.
        wait_until: Phase,
    },
    /// Reads a document and the frames below it. → [`BrowserReply::Read`]
    Read {
        /// Where.
        place: Place,
        /// Documents of frames that may be read, as [`BrowserReply::Document`] named them; every other is told as not
        /// granted. `None`: frames are not read at all.
        frames: Option<Vec<DocumentId>>,
        /// What is asked.
        ask: Box<PageRead>,
        /// The first ref that was never given in this tab.
        next_ref: u32,
    },
    /// Reads a [`PageRead::Table`] by scrolling its list from the beginning to the end and back to where it was. A tab in
    /// the background has the debugger attached meanwhile, since its page would draw nothing. → [`BrowserReply::Read`]
    ReadScrolling {
        /// Where; a session's tab.
        place: Place,
        /// As in [`BrowserCall::Read`].
        frames: Option<Vec<DocumentId>>,
        /// What is asked.
        ask: Box<PageRead>,
        /// As in [`BrowserCall::Read`].
        next_ref: u32,
    },
    /// Reads the browser's own accessibility tree, with the debugger attached for as long as that takes. Where a document
    /// has a secret field that holds something, no field's value is given. → [`BrowserReply::Snapshot`]
    Snapshot {
        /// Where; a session's tab.
        place: Place,
        /// As in [`BrowserCall::Read`].
        frames: Option<Vec<DocumentId>>,
        /// Levels at most; all without.
        depth: Option<u32>,
    },
    /// Does something on a page and looks what came of it. What was not dispatched fails with the effect `none`, what was
    /// dispatched and not seen with `unknown`. → [`BrowserReply::Acted`]
    Act {
        /// Where; a session's tab.
        place: Place,
        /// As in [`BrowserCall::Read`].
        frames: Option<Vec<DocumentId>>,
        /// Where it may be done.
        may: May,
        /// With which element; without one where the keyboard or the pointer is.
        target: Option<Box<Locator>>,
        /// What.
        action: Box<Action>,
        /// Milliseconds it goes on looking for what comes of it.
        settle_ms: u32,
        /// As in [`BrowserCall::Read`].
        next_ref: u32,
    },
    /// Waits in one document. → [`BrowserReply::Waited`]
    Wait {
        /// Where; a session's tab.
        place: Place,
        /// As in [`BrowserCall::Read`].
        frames: Option<Vec<DocumentId>>,
        /// For what.
        wait: Box<Wait>,
    },
    /// Goes through a tab's history, or loads its document again. → [`BrowserReply::Navigated`]
    History {
        /// The owner.
        session: SessionId,
        /// Which tab.
        tab: TabId,
        /// Where to.
        go: History,
        /// What to wait for.
        wait_until: Phase,
        /// Whether a document that a form was submitted for may be loaded again, which may submit it again. Without, that
        /// is `needs_approval`, with the `data` of [`crate::act::needs`].
        #[serde(default)]
        may_submit: bool,
    },
    /// Asks for a tab's dialog, and answers it. → [`BrowserReply::Dialog`]
    Dialog {
        /// The owner.
        session: SessionId,
        /// Which tab.
        tab: TabId,
        /// How to answer it; only asks without.
        answer: Option<DialogAnswer>,
    },
    /// Takes a picture of what the viewport shows, secret fields painted over. → [`BrowserReply::Picture`]
    Picture {
        /// Where; a session's tab.
        place: Place,
        /// As in [`BrowserCall::Read`]: what other frames show is painted over.
        frames: Option<Vec<DocumentId>>,
        /// The file format.
        format: PictureFormat,
        /// Pixels of the longer side at most.
        most: u32,
    },
    /// Runs a recipe in a private tab. → [`BrowserReply::Recipe`]
    Recipe {
        /// Already checked.
        recipe: Box<Recipe>,
        /// The first page: the template with the inputs filled in.
        url: String,
        /// Whether the tab may move into an unfocused window when the page does not get ready.
        window: WindowPolicy,
    },
}

/// What a read looks at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "in", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Place {
    /// A document in a session's tab; another document there is `stale_ref`.
    Tab {
        /// The owner.
        session: SessionId,
        /// Which tab.
        tab: TabId,
        /// The document the grant was checked for.
        document: DocumentId,
    },
    /// A private tab that is opened for this read and closed after it. Another origin is `navigation_blocked`.
    Private {
        /// What to load. Already checked.
        url: String,
    },
}

/// The document in a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FrameSeen {
    /// The document.
    pub document: DocumentId,
    /// The document it is a frame of.
    pub parent: DocumentId,
    /// Its address; `about:blank` and `about:srcdoc` belong to the site of their parent.
    pub url: String,
}

/// Whether a private tab may move into a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowPolicy {
    /// It stays in the background.
    Never,
    /// Once, after 3 s without `ready`.
    #[default]
    WhenNeeded,
}

/// What the browser answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "got", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BrowserReply {
    /// To [`BrowserCall::Echo`].
    Echo {
        /// As it came.
        text: String,
        /// What was added.
        fill: String,
    },
    /// To [`BrowserCall::Health`].
    Health {
        /// Whether it may work on all sites.
        all_sites: bool,
        /// Whether it may work in incognito windows.
        incognito: bool,
        /// Whether it may work on `file:` pages.
        files: bool,
    },
    /// To [`BrowserCall::ListTabs`].
    Tabs {
        /// By window and index. Private tabs of running reads are not among them.
        tabs: Vec<BrowserTab>,
    },
    /// To [`BrowserCall::OpenTab`].
    Opened {
        /// The new tab.
        tab: TabId,
        /// Its address now.
        url: String,
        /// How far it got.
        phase: Phase,
    },
    /// To [`BrowserCall::CloseTab`]: the tab was seen closed.
    Closed,
    /// To [`BrowserCall::EndSession`].
    Ended {
        /// Seen closed.
        closed: Vec<TabId>,
        /// Not closed yet; journaled and tried again.
        pending: Vec<TabId>,
    },
    /// To [`BrowserCall::Document`].
    Document {
        /// The document in the main frame.
        document: DocumentId,
        /// Its address.
        url: String,
        /// The beginning of the tab's title, to be shown to a person as what the page says of itself.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        title: String,
        /// The documents of all frames below it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        frames: Vec<FrameSeen>,
    },
    /// To [`BrowserCall::Navigate`].
    Navigated {
        /// The new document.
        document: DocumentId,
        /// Its address.
        url: String,
        /// How far it got.
        phase: Phase,
        /// Whether the deadline passed before the phase that was asked for.
        timed_out: bool,
        /// Whether the site led elsewhere.
        redirected: bool,
        /// A dialog that opened meanwhile: the page goes on when it is answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dialog: Option<Dialog>,
    },
    /// To [`BrowserCall::Read`] and [`BrowserCall::ReadScrolling`].
    Read {
        /// The document in the main frame.
        document: DocumentId,
        /// Its address.
        url: String,
        /// Its title.
        title: String,
        /// What was found.
        found: Box<PageFound>,
        /// The first ref of the tab that is free after it.
        next_ref: u32,
    },
    /// To [`BrowserCall::Snapshot`].
    Snapshot {
        /// The document in the main frame.
        document: DocumentId,
        /// Its address.
        url: String,
        /// Its title.
        title: String,
        /// Names the snapshot; what its refs mean is known until the next one of the tab, or until the document goes.
        snapshot: String,
        /// The tree, flat, with `aN` refs. A node that stays keeps its ref in the next snapshot of the same document.
        nodes: Vec<OutlineNode>,
        /// What is missing.
        omitted: Omitted,
    },
    /// To [`BrowserCall::Act`].
    Acted {
        /// What came of it.
        acted: Box<Acted>,
        /// The first ref of the tab that is free after it.
        next_ref: u32,
    },
    /// To [`BrowserCall::Act`], where it was not done and refs were told on the way: those of an error name elements too.
    Undone {
        /// Why.
        error: Error,
        /// The first ref of the tab that is free after it.
        next_ref: u32,
    },
    /// To [`BrowserCall::Wait`].
    Waited {
        /// How it ended.
        waited: Waited,
        /// The tab's address then.
        url: String,
    },
    /// To [`BrowserCall::Dialog`].
    Dialog {
        /// The one that is open; after an answer the next one, if there is.
        open: Option<Dialog>,
        /// The one that was answered, seen closed.
        answered: Option<Dialog>,
    },
    /// To [`BrowserCall::Picture`].
    Picture {
        /// The document in the main frame.
        document: DocumentId,
        /// Its address.
        url: String,
        /// The picture.
        picture: Picture,
    },
    /// To [`BrowserCall::Recipe`].
    Recipe {
        /// What it found.
        result: RecipeResult,
    },
}

/// A tab as the browser has it; who owns it is for the daemon to say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserTab {
    /// Its id.
    pub tab: TabId,
    /// The browser's number of its window.
    pub window: i64,
    /// Position in the window.
    pub index: u32,
    /// Whether it is visible in its window.
    pub active: bool,
    /// Whether its page is alive.
    pub lifecycle: Lifecycle,
    /// The session it was opened for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
}
