//! The tool table: one row per capability, written once. Lists, schemas, docs, dispatch and grant checks come from it.

mod aliases;
#[macro_use]
mod changing;
pub mod debug;
pub mod doctor;
pub mod extract;
pub mod inspect;
pub mod interact;
pub mod page;
mod row;
pub mod session;
pub mod tabs;
pub(crate) mod words;

pub use row::{Access, EffectClass, Row, Surface};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::error::{Code, Error};

/// Arguments of one tool, and what it gives back.
pub trait Tool: Serialize + DeserializeOwned {
    /// Which row they belong to.
    const ID: ToolId;
    /// The result's type.
    type Result: Serialize + DeserializeOwned;
}

macro_rules! tools {
    ($($(#[doc = $doc:literal])+ $id:ident($args:ty) -> $result:ty = $domain:literal, $action:expr, $flat:literal, $access:expr, $effect:expr, $default:literal, $max:literal, $surface:expr;)+) => {
        /// Every tool, one name each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ToolId { $($(#[doc = $doc])+ $id,)+ }

        /// A call with its arguments read; dispatch is a `match` over this.
        #[derive(Clone, Debug)]
        pub enum Call { $($(#[doc = $doc])+ $id($args),)+ }

        /// All rows, in the order people read them.
        pub const TABLE: &[Row] = &[$(Row {
            id: ToolId::$id,
            domain: $domain,
            action: $action,
            flat: $flat,
            doc: concat!($($doc, "\n"),+),
            access: $access,
            effect: $effect,
            default_ms: $default,
            max_ms: $max,
            surface: $surface,
            #[cfg(feature = "schema")]
            input: || schemars::schema_for!($args),
            #[cfg(feature = "schema")]
            output: || schemars::schema_for!($result),
        },)+];

        impl Call {
            /// Reads arguments strictly; the message names the JSON path.
            ///
            /// # Errors
            /// `invalid_argument`.
            pub fn read(id: ToolId, args: &Value) -> Result<Self, Error> {
                match id { $(ToolId::$id => read_args(args).map(Self::$id),)+ }
            }

            /// Which row it belongs to.
            pub fn id(&self) -> ToolId {
                match self { $(Self::$id(_) => ToolId::$id,)+ }
            }
        }

        $(impl Tool for $args {
            const ID: ToolId = ToolId::$id;
            type Result = $result;
        })+
    };
}

tools! {
    /// Starts a session: a piece of work that owns its tabs and ends with you. Opens one tab in the agent group or window, without focus.
    SessionStart(session::StartArgs) -> session::Started = "browser_session", Some("start"), "browser_start", Access::Housekeeping, EffectClass::Changes, 15_000, 60_000, Surface::Public;
    /// Ends a session and closes the tabs it opened. Repeatable.
    SessionStop(session::StopArgs) -> session::Stopped = "browser_session", Some("stop"), "browser_stop", Access::Housekeeping, EffectClass::Changes, 10_000, 30_000, Surface::Public;
    /// Lists your sessions and their tabs.
    SessionList(session::ListArgs) -> session::List = "browser_session", Some("list"), "browser_sessions", Access::Housekeeping, EffectClass::Reads, 5_000, 15_000, Surface::Public;
    /// Says whether the browser can be reached, in a few words.
    SessionStatus(session::StatusArgs) -> session::Status = "browser_session", Some("status"), "browser_status", Access::Housekeeping, EffectClass::Reads, 5_000, 15_000, Surface::Public;
    /// Lists the connected browser profiles; selects none.
    SessionTargets(session::TargetsArgs) -> session::Targets = "browser_session", Some("targets"), "browser_targets", Access::Housekeeping, EffectClass::Reads, 5_000, 15_000, Surface::Public;
    /// Looks at every hop between you and a page, names what is broken and its repair. Changes no tab.
    SessionDoctor(doctor::DoctorArgs) -> doctor::Diagnosis = "browser_session", Some("doctor"), "browser_doctor", Access::Housekeeping, EffectClass::Reads, 15_000, 30_000, Surface::Public;
    /// Lists tabs with their owner. Titles and addresses of the user's own tabs need a grant.
    TabsList(tabs::ListArgs) -> tabs::List = "browser_tabs", Some("list"), "browser_tabs", Access::Housekeeping, EffectClass::Reads, 5_000, 15_000, Surface::Public;
    /// Opens a tab in the session, in the background unless asked otherwise.
    TabsNew(tabs::NewArgs) -> tabs::Opened = "browser_tabs", Some("new"), "browser_new_tab", Access::Interact, EffectClass::Changes, 30_000, 60_000, Surface::Public;
    /// Closes a tab of the session.
    TabsClose(tabs::CloseArgs) -> tabs::Closed = "browser_tabs", Some("close"), "browser_close_tab", Access::Interact, EffectClass::Changes, 10_000, 30_000, Surface::Public;
    /// Loads an address in a tab of the session and says how far it got.
    PageNavigate(page::NavigateArgs) -> page::Navigated = "browser_page", Some("navigate"), "browser_navigate", Access::Interact, EffectClass::Changes, 30_000, 60_000, Surface::Public;
    /// One entry back in the tab's history.
    PageBack(page::BackArgs) -> page::Navigated = "browser_page", Some("back"), "browser_back", Access::Interact, EffectClass::Changes, 30_000, 60_000, Surface::Public;
    /// One entry forward in the history.
    PageForward(page::ForwardArgs) -> page::Navigated = "browser_page", Some("forward"), "browser_forward", Access::Interact, EffectClass::Changes, 30_000, 60_000, Surface::Public;
    /// Loads the page again.
    PageReload(page::ReloadArgs) -> page::Navigated = "browser_page", Some("reload"), "browser_reload", Access::Interact, EffectClass::Changes, 30_000, 60_000, Surface::Public;
    /// Waits for one condition, over navigations; tells success, failure or timeout.
    PageWait(page::WaitArgs) -> page::WaitDone = "browser_page", Some("wait"), "browser_wait", Access::Read, EffectClass::Reads, 30_000, 600_000, Surface::Public;
    /// Tells which dialog is open, or answers it; also while it blocks another call.
    PageDialog(page::DialogArgs) -> page::DialogDone = "browser_page", Some("dialog"), "browser_dialog", Access::Interact, EffectClass::Changes, 10_000, 30_000, Surface::Public;
    /// Shows a page as an outline: landmarks, headings, controls with state and value, text, lists and tables, each with what is needed to name it again. The first look at any page.
    InspectObserve(inspect::ObserveArgs) -> inspect::Observed = "browser_inspect", Some("observe"), "browser_snapshot", Access::Read, EffectClass::Reads, 15_000, 60_000, Surface::Public;
    /// Shows the browser's own accessibility tree. Attaches the debugger for a moment, which shows a bar.
    InspectSnapshot(inspect::SnapshotArgs) -> inspect::Snapshotted = "browser_inspect", Some("snapshot"), "browser_accessibility_snapshot", Access::Read, EffectClass::Reads, 20_000, 60_000, Surface::Public;
    /// Reads the text of a page or of one part.
    InspectText(inspect::TextArgs) -> inspect::TextRead = "browser_inspect", Some("text"), "browser_extract", Access::Read, EffectClass::Reads, 15_000, 60_000, Surface::Public;
    /// Finds elements by a target or by words, and tells count, text, attribute, state or bounds.
    InspectFind(inspect::FindArgs) -> inspect::Found = "browser_inspect", Some("find"), "browser_locator", Access::Read, EffectClass::Reads, 15_000, 60_000, Surface::Public;
    /// Reads the rows of a table, grid or repeated list.
    InspectTable(inspect::TableArgs) -> inspect::TableRead = "browser_inspect", Some("table"), "browser_table", Access::Read, EffectClass::Reads, 20_000, 60_000, Surface::Public;
    /// Reads the exact markup of one part, secrets removed.
    InspectHtml(inspect::HtmlArgs) -> inspect::HtmlRead = "browser_inspect", Some("html"), "browser_html", Access::Read, EffectClass::Reads, 15_000, 60_000, Surface::Public;
    /// Lists visible elements, numbered.
    InspectDom(inspect::DomArgs) -> inspect::Listed = "browser_inspect", Some("dom"), "browser_dom_cua", Access::Read, EffectClass::Reads, 15_000, 60_000, Surface::Public;
    /// For authors of recipes: selectors, tags, roles, text and chosen attributes of what is visible in the top document.
    InspectSelectors(inspect::SelectorsArgs) -> inspect::SelectorsRead = "browser_inspect", Some("selectors"), "browser_selectors", Access::Read, EffectClass::Reads, 20_000, 60_000, Surface::Public;
    /// For authors of recipes: finds what repeats and makes ready recipes of it, with evidence.
    InspectSuggest(inspect::SuggestArgs) -> inspect::Suggested = "browser_inspect", Some("suggest"), "browser_suggest", Access::Read, EffectClass::Reads, 20_000, 60_000, Surface::Public;
    /// Takes a picture of what the tab shows; secret fields are painted over.
    InspectScreenshot(inspect::ScreenshotArgs) -> inspect::Screenshot = "browser_inspect", Some("screenshot"), "browser_screenshot", Access::Read, EffectClass::Reads, 10_000, 30_000, Surface::Public;
    /// Clicks it as a hand would.
    InteractClick(interact::ClickArgs) -> interact::Done = "browser_interact", Some("click"), "browser_click", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Clicks it twice in a row.
    InteractDoubleClick(interact::DoubleClickArgs) -> interact::Done = "browser_interact", Some("double-click"), "browser_double_click", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Moves the pointer there.
    InteractHover(interact::HoverArgs) -> interact::Done = "browser_interact", Some("hover"), "browser_hover", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Gives it the keyboard.
    InteractFocus(interact::FocusArgs) -> interact::Done = "browser_interact", Some("focus"), "browser_focus", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Takes the keyboard away.
    InteractBlur(interact::BlurArgs) -> interact::Done = "browser_interact", Some("blur"), "browser_blur", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Scrolls it into view.
    InteractScrollTo(interact::ScrollToArgs) -> interact::Done = "browser_interact", Some("scroll-to"), "browser_scroll_to", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Turns the wheel over the target or the viewport's middle.
    InteractWheel(interact::WheelArgs) -> interact::Done = "browser_interact", Some("wheel"), "browser_scroll", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Sets a field or editor and reads it back.
    InteractFill(interact::FillArgs) -> interact::Done = "browser_interact", Some("fill"), "browser_fill", Access::Interact, EffectClass::Changes, 15_000, 60_000, Surface::Public;
    /// Types key by key, into the target or where the keyboard is.
    InteractType(interact::TypeArgs) -> interact::Done = "browser_interact", Some("type"), "browser_type", Access::Interact, EffectClass::Changes, 15_000, 60_000, Surface::Public;
    /// Presses a key, likewise.
    InteractPress(interact::PressArgs) -> interact::Done = "browser_interact", Some("press"), "browser_press_key", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Chooses exactly these options.
    InteractSelect(interact::SelectArgs) -> interact::Done = "browser_interact", Some("select"), "browser_select", Access::Interact, EffectClass::Changes, 15_000, 60_000, Surface::Public;
    /// Switches a box, radio or switch on.
    InteractCheck(interact::CheckArgs) -> interact::Done = "browser_interact", Some("check"), "browser_check", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Switches a box or switch off.
    InteractUncheck(interact::UncheckArgs) -> interact::Done = "browser_interact", Some("uncheck"), "browser_uncheck", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Drags it to another element or along a path.
    InteractDrag(interact::DragArgs) -> interact::Done = "browser_interact", Some("drag"), "browser_drag", Access::Interact, EffectClass::Changes, 15_000, 60_000, Surface::Public;
    /// Sets several fields, and submits if asked.
    InteractForm(interact::FormArgs) -> interact::FormDone = "browser_interact", Some("form"), "browser_form", Access::Interact, EffectClass::Changes, 30_000, 60_000, Surface::Public;
    /// Does several actions, by refs.
    InteractBatch(interact::BatchArgs) -> interact::BatchDone = "browser_interact", Some("batch"), "browser_batch", Access::Interact, EffectClass::Changes, 30_000, 60_000, Surface::Public;
    /// Input at points, whatever is there; last resort.
    InteractPointer(interact::PointerArgs) -> interact::Done = "browser_interact", Some("pointer"), "browser_cua", Access::Interact, EffectClass::Changes, 10_000, 60_000, Surface::Public;
    /// Does one action and tells at length what came of it.
    InteractProbe(interact::ProbeArgs) -> interact::Probed = "browser_interact", Some("probe"), "browser_probe_interaction", Access::Interact, EffectClass::Changes, 20_000, 60_000, Surface::Public;
    /// Reads rows by a recipe, in a private temporary tab with the profile's login, and says whether they are all.
    Extract(extract::ExtractArgs) -> crate::recipe::RecipeResult = "browser_extract", None, "browser_extract", Access::Read, EffectClass::Reads, 20_000, 20_000, Surface::Public;
    /// Sends bytes to the extension's background and back. Only in builds with the feature `sandbox`.
    DebugEcho(debug::EchoArgs) -> debug::Echoed = "browser_debug", Some("echo"), "browser_echo", Access::Housekeeping, EffectClass::Reads, 10_000, 60_000, Surface::Sandbox;
}

fn read_args<T: DeserializeOwned>(args: &Value) -> Result<T, Error> {
    let args = strip_blank(args);
    serde_path_to_error::deserialize(args).map_err(|error| {
        let path = error.path().to_string();
        Error::argument(&path, words::plain(&error.into_inner().to_string()))
    })
}

/// Blank optional strings and `null` at the top level count as absent: some clients fill in every property. But a blank
/// `value` is one: it clears a field.
fn strip_blank(args: &Value) -> Value {
    match args {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(key, value)| !value.is_null() && (value.as_str() != Some("") || *key == "value"))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        ),
        Value::Null => Value::Object(serde_json::Map::new()),
        other => other.clone(),
    }
}

/// Finds the row of a tool name as a client writes it, and takes the `action` out of the arguments.
///
/// A domain name needs `action`, except where the domain is a single verb. Two names are both: `browser_tabs`
/// lists when it has no action, and `browser_extract` is the recipe when it has one and the text read else.
///
/// # Errors
/// `invalid_argument` for an unknown name or action; the hint lists what there is.
pub fn resolve(name: &str, args: &Value) -> Result<(ToolId, Value), Error> {
    let mut args = match args {
        Value::Object(map) => map.clone(),
        Value::Null => serde_json::Map::new(),
        _ => return Err(Error::argument("", "must be an object")),
    };
    if !TABLE.iter().any(|row| row.domain == name || row.flat == name) {
        let names: Vec<_> = domains().collect();
        return Err(Error::argument("tool", format!("there is no tool {name}"))
            .hint(format!("tools: {}", names.join(", "))));
    }
    // A name that is no domain has no actions: the word is the flat tool's own there.
    let is_domain = TABLE.iter().any(|row| row.domain == name);
    let action = args.get("action").and_then(Value::as_str).map(str::to_owned);
    let row = match action.filter(|action| is_domain && !action.is_empty()) {
        Some(action) => {
            args.remove("action");
            TABLE
                .iter()
                .find(|row| row.domain == name && row.action == Some(&action))
                .ok_or_else(|| {
                    Error::argument("action", format!("{name} has no action {action}"))
                        .hint(format!("actions: {}", actions(name).join(", ")))
                })?
        }
        None if name == "browser_extract" => {
            let id = if args.contains_key("recipe") {
                ToolId::Extract
            } else {
                ToolId::InspectText
            };
            args = aliases::read(id, args)?;
            row(id)
        }
        None => {
            let row = TABLE
                .iter()
                .find(|row| (row.domain == name && row.action.is_none()) || row.flat == name)
                .ok_or_else(|| {
                    Error::argument("action", "is missing")
                        .hint(format!("actions: {}", actions(name).join(", ")))
                })?;
            args = aliases::read(row.id, args)?;
            row
        }
    };
    Ok((row.id, Value::Object(args)))
}

/// The row of a tool.
pub fn row(id: ToolId) -> &'static Row {
    // The table and the enum come from one macro, in the same order.
    &TABLE[id as usize]
}

/// Domain tools, each once, in table order.
pub fn domains() -> impl Iterator<Item = &'static str> {
    TABLE
        .iter()
        .enumerate()
        .filter(|(index, row)| !TABLE[..*index].iter().any(|earlier| earlier.domain == row.domain))
        .map(|(_, row)| row.domain)
}

/// Actions of a domain tool, in table order.
pub fn actions(domain: &str) -> Vec<&'static str> {
    TABLE
        .iter()
        .filter(|row| row.domain == domain)
        .filter_map(|row| row.action)
        .collect()
}

/// The error for a tool that this build does not offer.
pub fn not_offered(id: ToolId) -> Error {
    Error::new(
        Code::Unsupported,
        format!("{} is not offered by this build", row(id).flat),
    )
}

#[cfg(test)]
mod tests;
