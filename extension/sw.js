// @ts-check
// The service worker's shim: it registers every listener at once, as the browser demands, and hands over to Rust.
// It decides nothing.
import init, { boot, event, message } from './background.js';
import * as profileKey from './keys.js';
import * as picture from './picture.js';

/** Time before a reload when the last one was less than this ago, so that a fault at start cannot spin. */
const RELOAD_GAP_MS = 30_000;

// Functions that the browser copies into a document's isolated world. They reach the DOM port and nothing else; a page
// may own an element of that name, hence the `typeof`.
globalThis.inPage = {
  run: (/** @type {string} */ op) => {
    const port = globalThis.drawbridgePort;
    return typeof port?.run === 'function' ? port.run(op) : null;
  },
  changed: (/** @type {number} */ milliseconds) => {
    const watch = globalThis.drawbridgeWatch;
    return typeof watch?.changed === 'function' ? watch.changed(milliseconds) : null;
  },
  activated: () => navigator.userActivation.hasBeenActive,
};

globalThis.profileKey = profileKey;
globalThis.picture = picture;

/** Once Rust panicked its instance is never entered again; what waits is rejected and the extension starts anew. */
let fallen = false;
/** @type {(reason: Error) => void} */
let fall = () => {};
const fell = new Promise((_, reject) => { fall = reject; });
fell.catch(() => {});

globalThis.panicked = (/** @type {string} */ text) => {
  if (fallen) return;
  fallen = true;
  console.error(text);
  fall(new Error(text));
  chrome.storage.local.get('fellAt').then(async ({ fellAt = 0 }) => {
    const wait = Math.max(0, Number(fellAt) + RELOAD_GAP_MS - Date.now());
    await chrome.storage.local.set({ fellAt: Date.now() + wait });
    setTimeout(() => chrome.runtime.reload(), wait);
  });
};

const ready = init({ module_or_path: new URL('background_bg.wasm', import.meta.url) }).then(boot);
ready.catch((error) => globalThis.panicked(String(error)));

/**
 * Hands an event to Rust, in the order the browser sent it.
 * @param {string} name
 * @param {unknown} details
 */
const hand = (name, details) => {
  ready.then(() => { if (!fallen) event(name, details); }).catch((error) => console.error(name, error));
};

/** @param {string} name */
const mainFrame = (name) => (/** @type {{frameId: number}} */ details) => {
  if (details.frameId === 0) hand(name, details);
};

chrome.runtime.onStartup.addListener(() => hand('startup', null));
chrome.runtime.onInstalled.addListener(() => hand('installed', null));
chrome.alarms.onAlarm.addListener((alarm) => hand('alarm', alarm.name));
chrome.notifications.onClicked.addListener((id) => hand('notice', id));
chrome.tabs.onRemoved.addListener((tab) => hand('removed', tab));
chrome.webNavigation.onBeforeNavigate.addListener(mainFrame('before'));
chrome.webNavigation.onCommitted.addListener(mainFrame('committed'));
chrome.webNavigation.onDOMContentLoaded.addListener(mainFrame('parsed'));
chrome.webNavigation.onCompleted.addListener(mainFrame('completed'));
chrome.webNavigation.onErrorOccurred.addListener(mainFrame('failed'));
chrome.webNavigation.onReferenceFragmentUpdated.addListener(mainFrame('moved'));
chrome.webNavigation.onHistoryStateUpdated.addListener(mainFrame('moved'));
chrome.tabs.onCreated.addListener(({ id, openerTabId, pendingUrl, url }) => {
  if (openerTabId !== undefined) hand('opened', { tabId: id, sourceTabId: openerTabId, url: pendingUrl || url || '' });
});
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId, url }) => hand('opened', { tabId, sourceTabId, url }));
chrome.debugger.onDetach.addListener((source, reason) => hand('detached', { tabId: source.tabId ?? -1, reason }));
/** Events of the debugger of which more than the name is told: some are megabytes. @type {Record<string, (parameters: any) => unknown>} */
const TOLD = {
  'Target.attachedToTarget': (parameters) => parameters,
  'Page.javascriptDialogOpening': ({ type, message, defaultPrompt }) => ({
    type, message: String(message).slice(0, 2000), defaultPrompt: String(defaultPrompt ?? '').slice(0, 2000),
  }),
  'Runtime.consoleAPICalled': ({ type }) => ({ type }),
  'Input.dragIntercepted': (parameters) => parameters,
};
chrome.debugger.onEvent.addListener((source, method, parameters) => {
  const told = parameters && Object.hasOwn(TOLD, method) ? TOLD[method](parameters) : null;
  hand('debugger', { tabId: source.tabId ?? -1, method, parameters: told });
});
/** The keeper's port, held so that it stays open. @type {chrome.runtime.Port | null} */
let keeper = null;
chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== 'keeper' || port.sender?.url !== chrome.runtime.getURL('keeper.html')) return;
  keeper = port;
  port.onDisconnect.addListener(() => { if (keeper === port) keeper = null; });
  hand('kept', null);
});
chrome.runtime.onMessage.addListener((request, sender, answer) => {
  Promise.race([ready.then(() => message(request, sender)), fell])
    .then(answer)
    .catch((error) => answer({ error: String(error) }));
  return true;
});
