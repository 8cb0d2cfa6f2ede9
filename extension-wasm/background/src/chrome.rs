//! The browser's extension API: the only Rust that names `chrome.*`. Every answer is awaited for a bounded time, since
//! some never come (a script in a view-source page, a page with an open dialog, a tab that asks before it closes).
//!
//! <https://developer.chrome.com/docs/extensions/reference/api>

mod bindings;
mod native;
mod requests;
mod socket;
mod types;

pub(crate) use native::{NativePort, connect_native};
pub(crate) use requests::{Request, Step, hear};
pub(crate) use socket::{Socket, connect_socket};
pub(crate) use types::{Frame, Tab, Window};

use std::time::Duration;

use js_sys::{Array, JSON, Promise, Reflect};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::time::bounded;
use bindings as api;

/// The DOM port, in the order that its parts need.
const PORT_FILES: &[&str] = &[
    "dom-port.js",
    "dom-look.js",
    "dom-ink.js",
    "dom-match.js",
    "dom-style.js",
    "dom-capture.js",
    "dom-watch.js",
];

/// Its acting part, on top of that.
const ACTING_FILES: &[&str] = &["dom-act.js", "dom-note.js", "dom-fill.js", "dom-list.js"];

/// What an ordinary call of the API may take; milliseconds in practice.
const QUICK: Duration = Duration::from_secs(5);

/// Why the browser did not do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// No answer within the bound; it may still happen.
    Late,
    /// The browser's own words.
    Said(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Late => f.write_str("the browser did not answer in time"),
            Self::Said(words) => f.write_str(words),
        }
    }
}

/// An answer, or why there is none.
pub(crate) type Answer<T> = Result<T, Failure>;

/// Opens a tab; `properties` as in `tabs.create`.
pub(crate) async fn create_tab(properties: &Value) -> Answer<Tab> {
    read(&settle(QUICK, api::tabs_create(&js(properties)?)).await?)
}

/// Changes a tab; `properties` as in `tabs.update`.
pub(crate) async fn update_tab(tab: i64, properties: &Value) -> Answer<()> {
    settle(QUICK, api::tabs_update(number(tab), &js(properties)?))
        .await
        .map(drop)
}

/// Asks for a tab's removal; that alone says nothing about whether it goes.
pub(crate) async fn remove_tab(tab: i64, limit: Duration) -> Answer<()> {
    settle(limit, api::tabs_remove(number(tab))).await.map(drop)
}

/// One tab.
pub(crate) async fn tab(tab: i64) -> Answer<Tab> {
    read(&settle(QUICK, api::tabs_get(number(tab))).await?)
}

/// Tabs; `filter` as in `tabs.query`.
pub(crate) async fn tabs(filter: &Value) -> Answer<Vec<Tab>> {
    read(&settle(QUICK, api::tabs_query(&js(filter)?)).await?)
}

/// Whether the browser answers about tabs at all.
pub(crate) async fn any_tab() -> Answer<()> {
    let filter = js(&json!({"active": true}))?;
    settle(QUICK, api::tabs_query(&filter)).await.map(drop)
}

/// Whether the person lets the extension work on all sites; the browser's settings can withhold them.
pub(crate) async fn may_use_all_sites() -> Answer<bool> {
    let sites = js(&json!({"origins": ["<all_urls>"]}))?;
    read(&settle(QUICK, api::permissions_contains(&sites)).await?)
}

/// Whether the person lets the extension work in incognito windows.
pub(crate) async fn may_use_incognito() -> Answer<bool> {
    read(&settle(QUICK, api::is_allowed_incognito_access()).await?)
}

/// Whether the person lets the extension work on `file:` pages.
pub(crate) async fn may_use_files() -> Answer<bool> {
    read(&settle(QUICK, api::is_allowed_file_scheme_access()).await?)
}

/// Puts a tab into a group of its session, a new one in its own window if `group` is `None`; answers with the group.
pub(crate) async fn group_tab(tab: i64, group: Option<i64>, window: i64) -> Answer<i64> {
    let options = match group {
        Some(group) => json!({"tabIds": [tab], "groupId": group}),
        None => json!({"tabIds": [tab], "createProperties": {"windowId": window}}),
    };
    read(&settle(QUICK, api::tabs_group(&js(&options)?)).await?)
}

/// Takes a tab out of its group; an empty group goes with it, and none is saved.
pub(crate) async fn ungroup_tab(tab: i64) -> Answer<()> {
    settle(QUICK, api::tabs_ungroup(number(tab))).await.map(drop)
}

/// Names a group and gives it our colour.
pub(crate) async fn name_group(group: i64, title: &str) -> Answer<()> {
    let properties = js(&json!({"title": title, "color": "blue", "collapsed": false}))?;
    settle(QUICK, api::tab_groups_update(number(group), &properties))
        .await
        .map(drop)
}

/// Opens a window; `data` as in `windows.create`.
pub(crate) async fn create_window(data: &Value) -> Answer<Window> {
    read(&settle(QUICK, api::windows_create(&js(data)?)).await?)
}

/// The last focused normal window that is not incognito, or any other such window.
pub(crate) async fn normal_window() -> Answer<Option<i64>> {
    let filter = js(&json!({"windowTypes": ["normal"]}))?;
    // Without any normal window the browser answers with an error.
    if let Ok(last) = settle(QUICK, api::windows_get_last_focused(&filter)).await {
        let last: Window = read(&last)?;
        if last.is_normal() {
            return Ok(Some(last.id));
        }
    }
    let all: Vec<Window> = read(&settle(QUICK, api::windows_get_all(&filter)).await?)?;
    Ok(all
        .iter()
        .find(|window| window.is_normal())
        .map(|window| window.id))
}

/// Runs the DOM port's files in one document.
pub(crate) async fn inject_port(tab: i64, document: &str, limit: Duration) -> Answer<()> {
    inject(tab, document, PORT_FILES, limit).await
}

/// Runs the files of the DOM port's acting part in one document that holds the port.
pub(crate) async fn inject_acting(tab: i64, document: &str, limit: Duration) -> Answer<()> {
    inject(tab, document, ACTING_FILES, limit).await
}

async fn inject(tab: i64, document: &str, files: &[&str], limit: Duration) -> Answer<()> {
    let injection = js(&json!({
        "target": {"tabId": tab, "documentIds": [document]},
        "files": files,
        "injectImmediately": true,
    }))?;
    settle(limit, api::execute_script(&injection)).await.map(drop)
}

/// Hands an operation to the DOM port of one document. `None`: there is no port in it.
pub(crate) async fn run_port(
    tab: i64,
    document: &str,
    op: &str,
    limit: Duration,
) -> Answer<Option<js_sys::JsString>> {
    let function = api::IN_PAGE_RUN.with(Clone::clone);
    let result = call_in(tab, document, &function, &JsValue::from_str(op), limit).await?;
    Ok(result.dyn_into().ok())
}

/// Waits in a document for its next change. `None`: there is no port in it.
pub(crate) async fn await_change(
    tab: i64,
    document: &str,
    time: Duration,
    limit: Duration,
) -> Answer<Option<bool>> {
    let function = api::IN_PAGE_CHANGED.with(Clone::clone);
    let milliseconds = JsValue::from_f64(time.as_secs_f64() * 1000.0);
    Ok(call_in(tab, document, &function, &milliseconds, limit)
        .await?
        .as_bool())
}

/// Whether a person, or somebody who passes for one, touched any document of a tab.
pub(crate) async fn was_touched(tab: i64, limit: Duration) -> Answer<bool> {
    let injection = js(&json!({"target": {"tabId": tab, "allFrames": true}, "injectImmediately": true}))?;
    set(&injection, "func", &api::IN_PAGE_ACTIVATED.with(Clone::clone))?;
    let frames = Array::from(&settle(limit, api::execute_script(&injection)).await?);
    Ok(frames
        .iter()
        .any(|frame| field(&frame, "result").as_bool() != Some(false)))
}

/// Whether a tab's main document does what it is told. The browser's refusal is an answer, too.
pub(crate) async fn answers(tab: i64, limit: Duration) -> Answer<()> {
    let injection = js(&json!({"target": {"tabId": tab}, "injectImmediately": true}))?;
    set(&injection, "func", &api::IN_PAGE_ACTIVATED.with(Clone::clone))?;
    settle(limit, api::execute_script(&injection)).await.map(drop)
}

/// The document in a tab's main frame; `None` if there is no such tab.
pub(crate) async fn main_frame(tab: i64) -> Answer<Option<Frame>> {
    let details = js(&json!({"tabId": tab, "frameId": 0}))?;
    read(&settle(QUICK, api::web_navigation_get_frame(&details)).await?)
}

/// The frames of a tab that are alive, the main one first and each after the one it is in; none if there is no such tab.
pub(crate) async fn all_frames(tab: i64) -> Answer<Vec<Frame>> {
    let details = js(&json!({"tabId": tab}))?;
    let all: Option<Vec<Frame>> = read(&settle(QUICK, api::web_navigation_get_all_frames(&details)).await?)?;
    Ok(types::in_order(all.unwrap_or_default()))
}

/// Attaches the debugger, which shows its bar.
pub(crate) async fn attach_debugger(tab: i64, limit: Duration) -> Answer<()> {
    settle(limit, api::debugger_attach(&js(&json!({"tabId": tab}))?, "1.3"))
        .await
        .map(drop)
}

/// Detaches the debugger; a tab that is gone took it along.
pub(crate) async fn detach_debugger(tab: i64, limit: Duration) -> Answer<()> {
    settle(limit, api::debugger_detach(&js(&json!({"tabId": tab}))?))
        .await
        .map(drop)
}

/// Sends a command of the DevTools protocol to an attached tab.
pub(crate) async fn debugger_command(
    tab: i64,
    method: &str,
    parameters: &Value,
    limit: Duration,
) -> Answer<()> {
    let sent = api::debugger_send_command(&js(&json!({"tabId": tab}))?, method, &js(parameters)?);
    settle(limit, sent).await.map(drop)
}

/// Asks an attached tab something by the DevTools protocol; `session` is that of a frame in another process.
pub(crate) async fn ask_debugger<T: DeserializeOwned>(
    tab: i64,
    session: Option<&str>,
    method: &str,
    parameters: &Value,
    limit: Duration,
) -> Answer<T> {
    let target = match session {
        None => json!({"tabId": tab}),
        Some(session) => json!({"tabId": tab, "sessionId": session}),
    };
    let sent = api::debugger_send_command(&js(&target)?, method, &js(parameters)?);
    read(&settle(limit, sent).await?)
}

/// Values of some keys that last as long as the profile.
pub(crate) async fn load_lasting(keys: &[&str]) -> Answer<Value> {
    read(&settle(QUICK, api::local_get(&js(keys)?)).await?)
}

/// Keeps values as long as the profile lasts.
pub(crate) async fn keep_lasting(values: &Value) -> Answer<()> {
    settle(QUICK, api::local_set(&js(values)?)).await.map(drop)
}

/// Values of some keys that last as long as this run of the browser.
pub(crate) async fn load_for_run(keys: &[&str]) -> Answer<Value> {
    read(&settle(QUICK, api::session_get(&js(keys)?)).await?)
}

/// Keeps values as long as this run of the browser lasts.
pub(crate) async fn keep_for_run(values: &Value) -> Answer<()> {
    settle(QUICK, api::session_set(&js(values)?)).await.map(drop)
}

/// Keeps what is stored from documents and their worlds.
pub(crate) async fn guard_storage() -> Answer<()> {
    let level = js(&json!({"accessLevel": "TRUSTED_CONTEXTS"}))?;
    settle(QUICK, api::local_set_access_level(&level)).await.map(drop)
}

/// Wakes the worker by this name every `period`; a packed extension gets 30 s at least.
pub(crate) async fn arm_alarm(name: &str, period: Duration) -> Answer<()> {
    let minutes = period.as_secs_f64() / 60.0;
    let info = js(&json!({"periodInMinutes": minutes, "delayInMinutes": minutes}))?;
    settle(QUICK, api::alarms_create(name, &info)).await.map(drop)
}

/// Ends an alarm.
pub(crate) async fn disarm_alarm(name: &str) -> Answer<()> {
    settle(QUICK, api::alarms_clear(name)).await.map(drop)
}

/// Opens the offscreen document that starts the worker again, unless it is there.
pub(crate) async fn open_keeper() -> Answer<()> {
    let filter = js(&json!({"contextTypes": ["OFFSCREEN_DOCUMENT"]}))?;
    let contexts = Array::from(&settle(QUICK, api::get_contexts(&filter)).await?);
    if contexts.length() > 0 {
        return Ok(());
    }
    let document = js(&json!({
        "url": "keeper.html",
        "reasons": ["WORKERS"],
        "justification": "starts the extension's worker again when the browser stopped it, so that it stays connected",
    }))?;
    settle(QUICK, api::create_offscreen_document(&document))
        .await
        .map(drop)
}

/// Brings a window to the front.
pub(crate) async fn focus_window(window: i64) -> Answer<()> {
    let data = js(&json!({"focused": true}))?;
    settle(QUICK, api::windows_update(number(window), &data))
        .await
        .map(drop)
}

/// Shows a notification in the system's way.
pub(crate) async fn notify(id: &str, title: &str, message: &str) -> Answer<()> {
    let options = js(&json!({
        "type": "basic", "iconUrl": "icons/128.png", "title": title, "message": message, "priority": 2,
    }))?;
    settle(QUICK, api::notifications_create(id, &options))
        .await
        .map(drop)
}

/// Takes a notification away.
pub(crate) async fn unnotify(id: &str) -> Answer<()> {
    settle(QUICK, api::notifications_clear(id)).await.map(drop)
}

/// The public key of a profile's id, made where there is none yet.
pub(crate) async fn public_key(target: &str) -> Answer<String> {
    read(&settle(QUICK, api::public_key(target)).await?)
}

/// A text, signed with the key of a profile's id.
pub(crate) async fn sign(target: &str, text: &str) -> Answer<String> {
    read(&settle(QUICK, api::sign(target, text)).await?)
}

/// A picture at its size, in its format, with boxes painted over.
#[derive(Debug, Deserialize)]
pub(crate) struct Painted {
    /// base64.
    pub(crate) data: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Paints boxes over a picture (base64) and brings it to a size: pixels of its longer side at most. It shows `across` CSS px
/// from left to right, and boxes are `[x, y, width, height]` in the same.
pub(crate) async fn paint(
    data: &str,
    media_type: &str,
    most: u32,
    across: u32,
    boxes: &[[i32; 4]],
    limit: Duration,
) -> Answer<Painted> {
    let painted = api::paint(data, media_type, most.into(), across.into(), &js(boxes)?);
    read(&settle(limit, painted).await?)
}

/// Address of a file of this extension.
pub(crate) fn own_address(path: &str) -> String {
    api::get_url(path)
}

/// Id of this extension.
pub(crate) fn own_id() -> String {
    api::RUNTIME
        .with(|runtime| field(runtime, "id"))
        .as_string()
        .unwrap_or_default()
}

/// Name and version of the browser, `("Chromium", "156")`.
pub(crate) fn browser() -> (String, String) {
    let brands = api::USER_AGENT_DATA.with(|data| field(data.as_ref().unwrap_or(&JsValue::NULL), "brands"));
    types::browser_of(&read::<Vec<types::Brand>>(&brands).unwrap_or_default())
}

/// Reads a JS value as plain data.
pub(crate) fn read<T: DeserializeOwned>(value: &JsValue) -> Answer<T> {
    let text = match JSON::stringify(value) {
        Ok(text) => text.as_string().unwrap_or_else(|| "null".to_owned()),
        Err(error) => return Err(Failure::Said(words(&error))),
    };
    serde_json::from_str(&text).map_err(|error| Failure::Said(format!("unexpected answer: {error}")))
}

/// Plain data as a JS value.
pub(crate) fn js(value: &(impl Serialize + ?Sized)) -> Answer<JsValue> {
    let text = serde_json::to_string(value).map_err(|error| Failure::Said(error.to_string()))?;
    JSON::parse(&text).map_err(|error| Failure::Said(words(&error)))
}

/// The message of whatever was thrown.
pub(crate) fn words(error: &JsValue) -> String {
    let message = field(error, "message").as_string();
    message
        .or_else(|| error.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}

async fn call_in(
    tab: i64,
    document: &str,
    function: &js_sys::Function,
    argument: &JsValue,
    limit: Duration,
) -> Answer<JsValue> {
    let target = json!({"tabId": tab, "documentIds": [document]});
    let injection = js(&json!({"target": target, "injectImmediately": true}))?;
    set(&injection, "func", function)?;
    set(&injection, "args", &Array::of1(argument))?;
    let frames = Array::from(&settle(limit, api::execute_script(&injection)).await?);
    Ok(field(&frames.get(0), "result"))
}

async fn settle(limit: Duration, promise: Result<Promise, JsValue>) -> Answer<JsValue> {
    let said = |error: JsValue| Failure::Said(words(&error));
    let promise = promise.map_err(said)?;
    match bounded(limit, JsFuture::from(promise)).await {
        Ok(settled) => settled.map_err(said),
        Err(_) => Err(Failure::Late),
    }
}

fn field(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

fn set(object: &JsValue, name: &str, value: &JsValue) -> Answer<()> {
    match Reflect::set(object, &JsValue::from_str(name), value) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Said(words(&error))),
    }
}

/// The browser's numbers of tabs, windows and groups fit a double exactly.
#[expect(clippy::cast_precision_loss, reason = "ids of tabs are 32-bit numbers")]
fn number(id: i64) -> f64 {
    id as f64
}
