//! Signatures of the API's functions, and of what the shim provides.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = create)]
    pub(super) fn tabs_create(properties: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = update)]
    pub(super) fn tabs_update(tab: f64, properties: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = remove)]
    pub(super) fn tabs_remove(tab: f64) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = get)]
    pub(super) fn tabs_get(tab: f64) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = query)]
    pub(super) fn tabs_query(filter: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = group)]
    pub(super) fn tabs_group(options: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = ungroup)]
    pub(super) fn tabs_ungroup(tab: f64) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabGroups"], js_name = update)]
    pub(super) fn tab_groups_update(group: f64, properties: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "permissions"], js_name = contains)]
    pub(super) fn permissions_contains(permissions: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "extension"], js_name = isAllowedIncognitoAccess)]
    pub(super) fn is_allowed_incognito_access() -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "extension"], js_name = isAllowedFileSchemeAccess)]
    pub(super) fn is_allowed_file_scheme_access() -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = create)]
    pub(super) fn windows_create(data: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = getLastFocused)]
    pub(super) fn windows_get_last_focused(filter: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = getAll)]
    pub(super) fn windows_get_all(filter: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "scripting"], js_name = executeScript)]
    pub(super) fn execute_script(injection: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "webNavigation"], js_name = getFrame)]
    pub(super) fn web_navigation_get_frame(details: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "webNavigation"], js_name = getAllFrames)]
    pub(super) fn web_navigation_get_all_frames(details: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "debugger"], js_name = attach)]
    pub(super) fn debugger_attach(target: &JsValue, version: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "debugger"], js_name = detach)]
    pub(super) fn debugger_detach(target: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "debugger"], js_name = sendCommand)]
    pub(super) fn debugger_send_command(
        target: &JsValue,
        method: &str,
        parameters: &JsValue,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "local"], js_name = get)]
    pub(super) fn local_get(keys: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "local"], js_name = set)]
    pub(super) fn local_set(values: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "local"], js_name = setAccessLevel)]
    pub(super) fn local_set_access_level(level: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "session"], js_name = get)]
    pub(super) fn session_get(keys: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "storage", "session"], js_name = set)]
    pub(super) fn session_set(values: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "alarms"], js_name = create)]
    pub(super) fn alarms_create(name: &str, info: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "alarms"], js_name = clear)]
    pub(super) fn alarms_clear(name: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "offscreen"], js_name = createDocument)]
    pub(super) fn create_offscreen_document(parameters: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "runtime"], js_name = getContexts)]
    pub(super) fn get_contexts(filter: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(thread_local_v2, js_namespace = chrome, js_name = runtime)]
    pub(super) static RUNTIME: JsValue;
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = getURL)]
    pub(super) fn get_url(path: &str) -> String;
    #[wasm_bindgen(thread_local_v2, js_namespace = navigator, js_name = userAgentData)]
    pub(super) static USER_AGENT_DATA: Option<JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "windows"], js_name = update)]
    pub(super) fn windows_update(window: f64, data: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "notifications"], js_name = create)]
    pub(super) fn notifications_create(id: &str, options: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "notifications"], js_name = clear)]
    pub(super) fn notifications_clear(id: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = profileKey, js_name = publicKey)]
    pub(super) fn public_key(target: &str) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = profileKey, js_name = sign)]
    pub(super) fn sign(target: &str, text: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = picture, js_name = paint)]
    pub(super) fn paint(
        data: &str,
        media_type: &str,
        most: f64,
        across: f64,
        boxes: &JsValue,
    ) -> Result<Promise, JsValue>;

    #[wasm_bindgen(thread_local_v2, js_namespace = inPage, js_name = run)]
    pub(super) static IN_PAGE_RUN: Function;
    #[wasm_bindgen(thread_local_v2, js_namespace = inPage, js_name = changed)]
    pub(super) static IN_PAGE_CHANGED: Function;
    #[wasm_bindgen(thread_local_v2, js_namespace = inPage, js_name = activated)]
    pub(super) static IN_PAGE_ACTIVATED: Function;

    /// A connected native host. <https://developer.chrome.com/docs/extensions/reference/api/runtime#type-Port>
    pub(super) type Port;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "runtime"], js_name = connectNative)]
    pub(super) fn connect_native(name: &str) -> Result<Port, JsValue>;
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    pub(super) fn post_message(this: &Port, message: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    pub(super) fn disconnect(this: &Port);
    #[wasm_bindgen(method, getter, js_name = onMessage)]
    pub(super) fn on_message(this: &Port) -> Event;
    #[wasm_bindgen(method, getter, js_name = onDisconnect)]
    pub(super) fn on_disconnect(this: &Port) -> Event;

    /// <https://developer.mozilla.org/docs/Web/API/WebSocket>
    #[derive(Clone)]
    pub(super) type WebSocket;
    #[wasm_bindgen(catch, constructor)]
    pub(super) fn new(address: &str) -> Result<WebSocket, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub(super) fn send(this: &WebSocket, text: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    pub(super) fn close(this: &WebSocket);
    #[wasm_bindgen(method, setter, js_name = onopen)]
    pub(super) fn set_onopen(this: &WebSocket, listener: Option<&JsValue>);
    #[wasm_bindgen(method, setter, js_name = onmessage)]
    pub(super) fn set_onmessage(this: &WebSocket, listener: Option<&JsValue>);
    #[wasm_bindgen(method, setter, js_name = onclose)]
    pub(super) fn set_onclose(this: &WebSocket, listener: Option<&JsValue>);

    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "webRequest"], js_name = onBeforeRequest)]
    pub(super) static ON_BEFORE_REQUEST: Event;
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "webRequest"], js_name = onResponseStarted)]
    pub(super) static ON_RESPONSE_STARTED: Event;
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "webRequest"], js_name = onCompleted)]
    pub(super) static ON_COMPLETED: Event;
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "webRequest"], js_name = onErrorOccurred)]
    pub(super) static ON_ERROR_OCCURRED: Event;

    #[derive(Clone)]
    pub(super) type Event;
    #[wasm_bindgen(method, catch, js_name = addListener)]
    pub(super) fn add_filtered(this: &Event, listener: &JsValue, filter: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, js_name = addListener)]
    pub(super) fn add_listener(this: &Event, listener: &JsValue);
    #[wasm_bindgen(method, js_name = removeListener)]
    pub(super) fn remove_listener(this: &Event, listener: &JsValue);
}
