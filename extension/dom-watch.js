// @ts-check
/**
 * Waiting for a change of a document, and scrolling it, beside the DOM port. The watch begins with a look, so that what
 * changes between a look and the wait after it is not missed.
 */
(() => {
  'use strict';
  if (Object.hasOwn(globalThis, 'drawbridgeWatch')) return;
  const EVENTS = ['readystatechange', 'load', 'transitionend', 'animationend', 'input', 'change', 'toggle', 'slotchange', 'resize'];
  const bound = (/** @type {any} */ prototype, /** @type {string} */ name) => Function.prototype.call.bind(prototype[name]);
  const listen = bound(EventTarget.prototype, 'addEventListener'), unlisten = bound(EventTarget.prototype, 'removeEventListener');

  // Watched from a look to the first change after it, and while somebody waits.
  let watching = false, changedSince = false;
  const /** @type {Set<(answer: boolean) => void>} */ waiting = new Set(), observer = new MutationObserver(() => notice());
  const each = (/** @type {typeof listen} */ action) =>
    [document, window].forEach((on) => EVENTS.forEach((event) => action(on, event, notice, true)));
  const notice = () => {
    observer.disconnect(); each(unlisten);
    [watching, changedSince] = [false, true]; waiting.forEach((end) => end(true));
  };
  const begin = (/** @type {any[]} */ trees = []) => {
    if (watching) observer.takeRecords(); else each(listen);
    [watching, changedSince] = [true, false];
    // What changes in a shadow tree is seen from inside of it alone.
    for (const tree of [document, ...trees]) observer.observe(tree, { childList: true, subtree: true, attributes: true, characterData: true });
  };
  const changed = (/** @type {number} */ milliseconds) => new Promise((resolve) => {
    const already = changedSince, timer = setTimeout(() => end(false), milliseconds);
    const end = (/** @type {boolean} */ answer) => { clearTimeout(timer); waiting.delete(end); resolve(answer); };
    if (!watching) begin();
    if (already) end(true); else waiting.add(end);
  });

  /** Scrolls an element of the latest capture, or the page, at once. An operation of the port. */
  const { dom, kept, out } = /** @type {any} */ (globalThis).drawbridgePort.kit;
  /** @type {any} */ (globalThis).drawbridgePort.ops.scroll = (/** @type {{capture: number, at: number, to: number}} */ { capture, at, to }) => {
    const element = capture !== kept.capture ? null : at < 0 ? dom.Document_scrollingElement(document) : kept.latest[at];
    if (!element || !dom.isConnected(element)) { out.ints.push(-1, 0, 0); return; }
    begin();
    if (to >= 0) dom.scrollTo(element, { top: to, behavior: 'instant' });
    out.ints.push(Math.round(dom.scrollTop(element)), dom.scrollHeight(element), dom.clientHeight(element));
  };
  Object.defineProperty(globalThis, 'drawbridgeWatch', { value: Object.freeze({ begin, changed }) });
})();
