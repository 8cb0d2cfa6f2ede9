//! What daemon and extension say to each other. Each message is one JSON text, cut by [`crate::frame`] where needed.
//!
//! The native host puts [`crate::local::LinkHello`] in front and relays everything after it unread.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::ids::{CallId, DocumentId, SessionId, TabId, TargetId};
use crate::recipe::{Recipe, RecipeResult};
use crate::tools::inspect::{SelectorEntry, TextOmitted};
use crate::tools::page::Phase;
use crate::tools::session::Placement;
use crate::tools::tabs::Lifecycle;

/// From the daemon to the extension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToExtension {
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
}

/// From the extension to the daemon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToBridge {
    /// The first message on a link.
    Hello(Hello),
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
    /// Name of the browser, such as `Chromium`.
    pub browser: String,
    /// Its major version.
    pub browser_version: String,
    /// Counts connections of this worker; lets the daemon tell an old link from a new one.
    pub attempt: u64,
    /// Tabs it keeps for sessions.
    pub owned: Vec<OwnedTab>,
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
    /// Reads visible text of a document. → [`BrowserReply::Text`]
    ReadText {
        /// Where.
        place: Place,
        /// The one element; the body without.
        target: Option<String>,
        /// Characters at most.
        max_chars: u32,
    },
    /// Reads selectors for an author. → [`BrowserReply::Selectors`]
    ReadSelectors {
        /// Where.
        place: Place,
        /// The one element to look inside.
        scope: String,
        /// Entries at most.
        limit: u32,
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
    },
    /// To [`BrowserCall::ReadText`].
    Text {
        /// The document that was read.
        document: DocumentId,
        /// Its address.
        url: String,
        /// Its title.
        title: String,
        /// Visible text.
        text: String,
        /// What is missing.
        omitted: Option<TextOmitted>,
    },
    /// To [`BrowserCall::ReadSelectors`].
    Selectors {
        /// Address of the document.
        url: String,
        /// Its title.
        title: String,
        /// Entries.
        entries: Vec<SelectorEntry>,
        /// Entries left out.
        omitted: u32,
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
