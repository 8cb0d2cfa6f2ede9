// @ts-check
/**
 * The DOM port: copies facts of a document into columns for the reader, and decides nothing. What an operation and its
 * columns look like is written in protocol/src/reader.rs. It runs in the isolated world; one `run` is one synchronous task.
 * A page shadows properties in this world too (`<form><input name=parentNode>`, `<img name=title>`,
 * `<p id=addEventListener>`), so nodes, document and window are only touched through captured prototype members: `dom`.
 */
(() => {
  'use strict';
  if (Object.hasOwn(globalThis, 'drawbridgePort')) return;
  const VERSION = 1, MAX_TEXT = 100_000, READY = ['loading', 'interactive', 'complete'];
  /** Bits of what is said of an element, and from GONE on of what its descendants inherit: no box; inert; the clipping box is
      positioned; inside a host; names come from content. */
  const FLAGS = Object.freeze({
    RENDERED: 1, VISIBLE: 2, TRANSPARENT: 4, CONTENTS: 8, CLIPS: 16, SHADOW: 32, OFF_PAGE: 64, BLOCK: 128, DISABLED: 256, IN_SHADOW: 512,
    FOREIGN: 1 << 10, POINTER: 1 << 11, FOCUSED: 1 << 12, IN_VIEW: 1 << 13, SECRET: 1 << 14, FILLED: 1 << 15, EDITABLE: 1 << 16,
    TOP_LAYER: 1 << 17, PINNED: 1 << 18, BLENDS: 1 << 19, POSITIONED: 1 << 20, INLINE_BOX: 1 << 21, UPPERCASE: 1 << 22, LOWERCASE: 1 << 23,
    CAPITALIZE: 1 << 24, GONE: 1 << 25, INERT: 1 << 26, ANCHORED: 1 << 27, BELOW_HOST: 1 << 28, NAMING: 1 << 29,
  });
  const HTML = 'http://www.w3.org/1999/xhtml', SECRET_HINT = /(^|\s)((current|new)-password|one-time-code|cc-\S+)(\s|$)/i;
  /** Names of fields for passwords, one-time codes and cards. */
  const HUSH = new RegExp('(^|-)((new|current|old)?passw(or)?d|pass(phrase|code)|pwd|t?otp|mfa|2fa|pin|cv[cv]2?|csc|one-?time-?(code|pin)'
    + '|(otp|pin|sms|auth|authentication|verification|verify|security|login|card|cc)-?(code|cvc|cvv|csc)'
    + '|(card|cc|credit-?card)-?(no|num|number|nr|pan))[0-9]*(-|$)');
  const WORDS = new RegExp('pass(word|code|phrase|wort)|kennwort|contrase[ñn]a|mot de passe|senha|wachtwoord|密码|密碼|パスワード|暗証番号|비밀번호|пароль'
    + '|\\bpin\\b|\\botp\\b|\\bcv[cv]2?\\b|\\bcsc\\b|one[- ]?time[- ]?(code|pin)|(security|verification) code|card[- ]?number|kartennummer', 'iu');
  const WORDLESS = new Set('checkbox radio submit reset button image file range color hidden date time month week datetime-local email'.split(' '));
  /** Selectors that may ask what a field holds. */
  const ASKS = /value|selected|checked|:(empty|default)/i;
  /** Members of the DOM's prototypes as functions, by type and name, and by name alone where it is a node's or element's. @type {any} */
  const dom = {};
  for (const [type, names] of Object.entries({
    Node: 'nodeType parentNode firstChild nextSibling textContent baseURI isConnected ownerDocument getRootNode contains',
    Element: `localName namespaceURI shadowRoot assignedSlot scrollTop scrollLeft scrollWidth scrollHeight clientWidth clientHeight clientLeft
      clientTop outerHTML scrollTo removeAttribute replaceChildren closest hasAttribute hasAttributes getAttribute getAttributeNames matches checkVisibility getBoundingClientRect querySelectorAll`,
    CharacterData: 'data', ShadowRoot: 'host activeElement elementFromPoint', DocumentFragment: 'querySelectorAll', HTMLElement: 'innerText offsetWidth offsetHeight offsetParent',
    HTMLInputElement: 'type value checked indeterminate validationMessage', HTMLTextAreaElement: 'value validationMessage',
    HTMLSelectElement: 'selectedOptions validationMessage', HTMLOptionElement: 'label selected', HTMLSlotElement: 'assignedNodes',
    HTMLAnchorElement: 'href', HTMLAreaElement: 'href', HTMLIFrameElement: 'contentWindow', HTMLFrameElement: 'contentWindow',
    HTMLObjectElement: 'contentWindow', TreeWalker: 'nextNode', Range: 'selectNodeContents getClientRects', EventTarget: 'addEventListener removeEventListener', DOMImplementation: 'createHTMLDocument',
    Document: `readyState title documentElement body activeElement fullscreenElement designMode querySelectorAll getElementsByTagName createDocumentFragment
      createTreeWalker createRange contentType styleSheets adoptedStyleSheets getAnimations elementFromPoint elementsFromPoint importNode implementation scrollingElement`,
  })) {
    for (const name of names.split(/\s+/)) {
      const { get, value } = /** @type {any} */ (Object.getOwnPropertyDescriptor(/** @type {any} */ (globalThis)[type].prototype, name));
      dom[type === 'Node' || type === 'Element' ? name : `${type}_${name}`] = Function.prototype.call.bind(get ?? value);
    }
  }
  const styleOf = getComputedStyle, nothing = dom.Document_createDocumentFragment(document);
  /** Absent outside an extension, where closed roots stay closed. @type {((element: any) => ShadowRoot | null) | undefined} */
  const closedRoot = /** @type {any} */ (globalThis).chrome?.dom?.openOrClosedShadowRoot;

  // What lasts as long as the document: refs both ways, the elements of the latest capture, fields seen with a password.
  const kept = { epoch: Math.floor(Math.random() * 0x4000_0000), capture: 0, highest: 0, latest: /** @type {any[]} */ ([]),
    refs: /** @type {WeakMap<any, number>} */ (new WeakMap()), held: /** @type {Map<number, WeakRef<any>>} */ (new Map()) };
  const secrets = new WeakSet(), secretNames = new Set();
  let /** @type {Map<any, Map<string, string>>} */ labels = new Map();
  dom.EventTarget_addEventListener(window, 'pageshow', (/** @type {PageTransitionEvent} */ event) => {
    if (event.persisted) Object.assign(kept, { epoch: kept.epoch + 1, latest: [], refs: new WeakMap(), held: new Map() });
  }, true);
  // The operation that runs: what it wrote and left out, where the page lies.
  const out = { ints: /** @type {number[]} */ ([]), texts: /** @type {string[]} */ ([]), cut: 0 };
  const page = { x: 0, y: 0, width: 0, height: 0, leftEdge: 0, root: /** @type {any} */ (null), body: /** @type {any} */ (null), rest: /** @type {any} */ (null) };
  /** The element that was looked at last, whether its text had to be looked at closely, and what is left by it for those inside. */
  const seen = { style: /** @type {any} */ (null), close: false, left: 0, top: 0, width: 0, height: 0, rest: /** @type {any} */ (null) };

  const write = (/** @type {string | null} */ text, most = MAX_TEXT) => {
    out.ints.push(text === null ? -1 : Math.min(text.length, most));
    if (text === null || text === '') return;
    if (most >= MAX_TEXT) out.cut += Math.max(0, text.length - most);
    out.texts.push(text.length > most ? text.slice(0, most) : text);
  };
  const isSelector = (/** @type {string} */ selector) => {
    try { return dom.DocumentFragment_querySelectorAll(nothing, selector) !== null; } catch { return false; }
  };
  const list = (/** @type {any} */ root, /** @type {string} */ selector) =>
    (root === document ? dom.Document_querySelectorAll : dom.nodeType(root) === 1 ? dom.querySelectorAll : dom.DocumentFragment_querySelectorAll)(root, selector);
  const all = (/** @type {any} */ root, /** @type {string} */ selector) => [...list(root, selector)];
  /** @type {(element: Element, id: string) => string} */
  const labelOf = (element, id) => {
    const root = dom.getRootNode(element), around = dom.closest(element, 'label'), type = dom.nodeType(root);
    if (!labels.has(root)) {
      const told = type === 9 || type === 11 ? all(root, 'label[for]') : [];
      labels.set(root, new Map(told.map((one) => [dom.getAttribute(one, 'for'), dom.textContent(one).slice(0, 200)])));
    }
    return `${around ? dom.textContent(around).slice(0, 200) : ''} ${labels.get(root)?.get(id) ?? ''}`.trim();
  };
  /** Whether what is typed into a field, or into an element that can be edited, is a secret. @type {(element: Element, tag: string) => boolean} */
  const isSecret = (element, tag) => {
    const around = tag === 'option' ? dom.closest(element, 'select') : null;
    if (around) return isSecret(around, 'select');
    const [name, id, hint, spoken, held] = ['name', 'id', 'autocomplete', 'aria-label', 'placeholder'].map((one) => dom.getAttribute(element, one) ?? '');
    const plain = (/** @type {string} */ text) => text.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const hushed = (/** @type {string} */ text) => text !== '' && HUSH.test(plain(text));
    if (secrets.has(element) || (hint !== '' && SECRET_HINT.test(hint)) || (tag === 'input' && (hushed(name) || hushed(id)))) return true;
    const type = tag === 'input' ? dom.HTMLInputElement_type(element) : '';
    if (tag === 'select' || tag === 'option' || WORDLESS.has(type)) return false;
    const label = tag === 'input' || tag === 'textarea' ? labelOf(element, id) : '';
    const names = [`name ${name}`, `id ${id}`, `label ${label}`].filter((one) => !one.endsWith(' '));
    // Shown as dots now: it stays a secret, and so does what takes its place.
    if (type === 'password' || (styleOf(element).webkitTextSecurity || 'none') !== 'none') {
      secrets.add(element); names.forEach((one) => secretNames.add(one));
      return true;
    }
    return names.some((one) => secretNames.has(one)) || [spoken, held, label].some((one) => one !== '' && WORDS.test(one))
      || [name, id].some((one) => one !== '' && WORDS.test(plain(one)));
  };
  /** Whether it is part of a secret that is edited in place. */
  const isTyped = (/** @type {any} */ element) => {
    const host = dom.closest(element, '[contenteditable]');
    return host !== null && isSecret(host, dom.localName(host));
  };
  /**
   * Matches of a selector that do not depend on what a secret field holds. One that asks for it matches no secret; where it
   * may go on from there to other elements, it matches nothing in a tree that has a secret.
   * @type {(root: any, selector: string) => ArrayLike<any>}
   */
  const select = (root, selector) => {
    const found = list(root, selector);
    if (found.length === 0) return found;
    const read = selector.replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_, code) => String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff))).replaceAll('\\', '');
    if (!ASKS.test(read)) return found;
    const hides = (/** @type {any} */ one) => isSecret(one, dom.localName(one)) || isTyped(one);
    const bare = selector.replaceAll(/"[^"]*"|'[^']*'/g, '').replaceAll(/\[[^\]]*\]/g, (one) => ASKS.test(one) ? '[value]' : '[x]').trim();
    const [first] = bare.split(/\s*,\s*/).map((part) => part.slice(Math.max(0, part.search(ASKS)))).filter((part) => /[\s>+~(|]/.test(part));
    if (first !== undefined || /[\\\n\r\f"']|\/\*|url\(|:(has|not|is|where|nth|host|slotted)/i.test(bare) || /[\\\n\r\f]/.test(selector)) {
      const tree = dom.nodeType(root) === 1 ? dom.getRootNode(root) : root;
      return all(tree, 'input, textarea, select, [contenteditable]').some(hides) ? [] : found;
    }
    return [...found].filter((one) => !hides(one));
  };
  const shadowOf = (/** @type {any} */ host) => dom.shadowRoot(host) ?? (closedRoot && dom.namespaceURI(host) === HTML ? closedRoot(host) : null);

  /** Operations by name; the files beside this one add theirs. @type {Record<string, (op: any) => void>} */
  const ops = {
    number({ capture, numbers }) {
      const fits = capture === kept.capture && kept.latest.length > 0;
      out.ints.push(fits ? 1 : 0);
      for (const [at, ref] of fits ? numbers : []) {
        const element = kept.latest[at];
        if (!element || kept.refs.has(element)) continue;
        kept.refs.set(element, ref); kept.held.set(ref, new WeakRef(element)); kept.highest = Math.max(kept.highest, ref);
      }
    },
    holds({ refs }) {
      for (const ref of refs) {
        const element = kept.held.get(ref)?.deref();
        out.ints.push(element && dom.isConnected(element) && dom.ownerDocument(element) === document ? 1 : 0);
      }
    },
  };
  const run = (/** @type {string} */ json) => {
    const op = JSON.parse(json);
    out.ints = [VERSION, kept.epoch, READY.indexOf(dom.Document_readyState(document)),
      ['iframe', 'frame'].reduce((sum, tag) => sum + dom.Document_getElementsByTagName(document, tag).length, 0)];
    [out.texts, out.cut] = [[], 0];
    [location.href, self.origin, dom.Document_title(document)].forEach((text) => write(text));
    out.ints.push(0, dom.Document_contentType(document) === 'application/pdf' ? 1 : 0);
    kit.more.start();
    ops[op.op](op);
    out.ints[7] = out.cut;
    const columns = `${out.ints.length};${out.ints.join(',')}\n${out.texts.join('')}`;
    [out.ints, out.texts, labels] = [[], [], new Map()];
    kit.more.end();
    return columns;
  };
  /** `more`: what the files beside this one add. */
  const kit = Object.freeze({ more: /** @type {any} */ ({}), FLAGS, HTML, MAX_TEXT, dom, kept, out, page, seen, write, isSelector, isSecret, isTyped, select, shadowOf, closedRoot });
  Object.defineProperty(globalThis, 'drawbridgePort', { value: Object.freeze({ run, ops, kit }) });
})();
