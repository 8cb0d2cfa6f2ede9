// @ts-check
/**
 * The DOM port: copies facts of a document into columns for the reader, and decides nothing. What an operation and its
 * columns look like is written in protocol/src/reader.rs. It runs in the isolated world; one `run` is one synchronous task.
 * A page shadows properties in this world too (`<form><input name=parentNode>`, `<img name=title>`,
 * `<p id=addEventListener>`), so nodes, document and window are only touched through captured prototype members.
 */
(() => {
  'use strict';
  if (Object.hasOwn(globalThis, 'drawbridgePort')) return;
  const VERSION = 1, MAX_TEXT = 100_000, MAX_NODES = 200_000;
  const COPIED_ATTRIBUTES = new Set(['id', 'class', 'role', 'href', 'src', 'alt', 'aria-label', 'aria-hidden', 'title', 'datetime',
    'name', 'type', 'data-testid', 'itemprop', 'rel', 'placeholder', 'autocomplete']);
  const RENDERED = 1, VISIBLE = 2, TRANSPARENT = 4, CONTENTS = 8, CLIPS = 16, SHADOW = 32, OFF_PAGE = 64, BLOCK = 128;
  const DISABLED = 256, IN_SHADOW = 512, FLAGS = 1023;
  // What else descendants inherit: no box; inert; the clipping box is positioned; inside a host.
  const GONE = 1 << 16, INERT = 1 << 17, POSITIONED = 1 << 18, BELOW_HOST = 1 << 19;
  /** Elements whose text children are never shown, or are the value of a field. */
  const MUTE = new Set(['script', 'style', 'noscript', 'template', 'textarea']);
  const CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'optgroup', 'option', 'fieldset']);
  /** The built-in elements that `attachShadow` takes; a custom element is one too. */
  const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
  const HTML = 'http://www.w3.org/1999/xhtml', EVENTS = ['readystatechange', 'load', 'transitionend', 'animationend'];
  /** @type {(prototype: object, names: string) => ((self: any) => any)[]} */
  const getters = (prototype, names) => names.split(' ').map((name) =>
    Function.prototype.call.bind(/** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, name)).get));
  /** @type {(prototype: any, names: string) => ((self: any, ...args: any[]) => any)[]} */
  const methods = (prototype, names) => names.split(' ').map((name) => Function.prototype.call.bind(prototype[name]));
  const [nodeType, parentNode, firstChild, nextSibling, textContent, baseUri] = getters(Node.prototype,
    'nodeType parentNode firstChild nextSibling textContent baseURI');
  const [localName, namespaceUri, openRoot, assignedSlot, scrollTop, scrollLeft, scrollWidth, clientWidth] = getters(Element.prototype,
    'localName namespaceURI shadowRoot assignedSlot scrollTop scrollLeft scrollWidth clientWidth');
  const [data] = getters(CharacterData.prototype, 'data'), [hostOf] = getters(ShadowRoot.prototype, 'host');
  const [innerText] = getters(HTMLElement.prototype, 'innerText');
  const [anchorHref] = getters(HTMLAnchorElement.prototype, 'href'), [areaHref] = getters(HTMLAreaElement.prototype, 'href');
  const [readyState, documentTitle, rootOf, bodyOf] = getters(Document.prototype, 'readyState title documentElement body');
  const [hasAttribute, hasAttributes, getAttribute, getAttributeNames, matches, checkVisibility, boundingRect, queryInElement] =
    methods(Element.prototype, 'hasAttribute hasAttributes getAttribute getAttributeNames matches checkVisibility '
      + 'getBoundingClientRect querySelectorAll');
  const [queryInDocument, createFragment, walk] = methods(Document.prototype, 'querySelectorAll createDocumentFragment createTreeWalker');
  const [queryInFragment] = methods(DocumentFragment.prototype, 'querySelectorAll'), [step] = methods(TreeWalker.prototype, 'nextNode');
  const [getRootNode] = methods(Node.prototype, 'getRootNode'), [assignedNodes] = methods(HTMLSlotElement.prototype, 'assignedNodes');
  const [listen, unlisten] = methods(EventTarget.prototype, 'addEventListener removeEventListener');
  const styleOf = getComputedStyle, nothing = createFragment(document);
  /** Absent outside an extension, where closed roots stay closed. @type {((element: any) => ShadowRoot | null) | undefined} */
  const closedRoot = /** @type {any} */ (globalThis).chrome?.dom?.openOrClosedShadowRoot;
  let epoch = Math.floor(Math.random() * 0x4000_0000);
  listen(window, 'pageshow', (/** @type {PageTransitionEvent} */ event) => { if (event.persisted) epoch++; }, true);

  // The operation that runs: what it wrote and left out, where the page lies, what it knows of elements around others.
  let /** @type {number[]} */ ints = [], /** @type {string[]} */ texts = [], /** @type {Map<any, number>} */ states = new Map();
  let cut = 0, pageX = 0, pageY = 0, leftEdge = 0, width = 0, height = 0, /** @type {any} */ root = null, /** @type {any} */ body = null;

  const write = (/** @type {string | null} */ text) => {
    ints.push(text === null ? -1 : Math.min(text.length, MAX_TEXT));
    if (text === null || text === '') return;
    cut += Math.max(0, text.length - MAX_TEXT);
    texts.push(text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);
  };

  /** The flat-tree parent, as far as it can be seen from below. @type {(element: Element) => Element | null} */
  const above = (element) => {
    const parent = assignedSlot(element) ?? parentNode(element), type = parent === null ? 9 : nodeType(parent);
    return type === 1 ? parent : type === 11 && parent instanceof ShadowRoot ? hostOf(parent) : null;
  };

  /** Flags, and what descendants inherit; fills `width` and `height`. @type {(element: Element, tag: string, up: number) => number} */
  const look = (element, tag, up) => {
    let state = up & (INERT | BELOW_HOST); width = height = 0;
    if (state & BELOW_HOST && getRootNode(element) !== document) state |= IN_SHADOW;
    if (hasAttribute(element, 'inert')) state |= INERT;
    if (state & INERT || ((CONTROLS.has(tag) || tag.includes('-')) && matches(element, ':disabled'))) state |= DISABLED;
    if (up & GONE) return state | GONE;
    const plain = checkVisibility(element, { visibilityProperty: true, opacityProperty: true });
    const style = styleOf(element), display = style.display;
    if (!plain && !checkVisibility(element)) {
      const parent = above(element);
      if (display !== 'contents' || (parent && (styleOf(parent).contentVisibility === 'hidden'
        || (tag !== 'summary' && matches(parent, 'details:not([open])'))))) return state | GONE;
      return state | CONTENTS | up & (RENDERED | TRANSPARENT | CLIPS | POSITIONED) | (style.visibility === 'visible' ? VISIBLE : 0);
    }
    state |= RENDERED;
    if (plain || checkVisibility(element, { visibilityProperty: true })) state |= VISIBLE;
    if (!plain && !checkVisibility(element, { opacityProperty: true })) state |= TRANSPARENT;
    if (!display.startsWith('inline')) state |= BLOCK;
    const rect = boundingRect(element), left = rect.left + pageX, top = rect.top + pageY;
    [width, height] = [Math.round(rect.width), Math.round(rect.height)];
    if (left < leftEdge || top < 0) {
      let right = left + rect.width, bottom = top + rect.height;
      for (let box = above(element); box && box !== root && box !== body; box = above(box)) {
        [right, bottom] = [right + scrollLeft(box), bottom + scrollTop(box)];
      }
      if ((left < leftEdge && right <= leftEdge) || (top < 0 && bottom <= 0)) state |= OFF_PAGE;
    }
    // A clipping box without room takes its content along, but for what is positioned against a box further out.
    const escapes = up & CLIPS && (style.position === 'fixed' || (style.position === 'absolute' && !(up & POSITIONED)));
    if (!escapes) state |= up & (CLIPS | POSITIONED);
    if ((width <= 1 || height <= 1) && display !== 'inline' && element !== root && element !== body
      && (style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none')) {
      state |= style.position === 'static' ? CLIPS : CLIPS | POSITIONED;
    }
    return state;
  };

  /** What an element inherits; each element around it is looked at once per operation. @type {(element: Element) => number} */
  const inherited = (element) => {
    const chain = [];
    let box = above(element);
    for (; box && !states.has(box); box = above(box)) chain.push(box);
    let state = box ? states.get(box) ?? 0 : RENDERED;
    for (const one of chain.reverse()) states.set(one, state = look(one, localName(one), state));
    return state;
  };

  /** Text without the values of fields; `lines`: only what is rendered. @type {(element: Element, lines: boolean) => string} */
  const gather = (element, lines) => {
    const walker = walk(document, element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION);
    let text = '', /** @type {any} */ last = null;
    for (let node = step(walker); node; node = step(walker)) {
      let box = parentNode(node), tag = localName(box);
      if (lines ? MUTE.has(tag) || !checkVisibility(box, { visibilityProperty: true }) : tag === 'textarea') continue;
      while (lines && box !== element && /^(inline|contents)/.test(styleOf(box).display)) box = parentNode(box);
      text += lines ? (last && box !== last ? '\n' : '') + data(node).replaceAll(/\s+/g, ' ') : data(node);
      last = box;
    }
    return text;
  };
  /** Whether part of it is not laid out, far from the screen: innerText leaves that out. @type {(element: Element, shown: string) => boolean} */
  const isUnlaid = (element, shown) => {
    const solid = (/** @type {string} */ text) => text.replaceAll(/\s+/g, '').length;
    return solid(shown) < solid(textContent(element)) && (!checkVisibility(element, { contentVisibilityAuto: true })
      || [element, ...queryInElement(element, '*')].some((one) => styleOf(one).contentVisibility === 'auto'));
  };
  /** @type {(element: Element, what: any) => string | null} */
  const read = (element, what) => {
    if (what.attribute) return getAttribute(element, what.attribute);
    const html = namespaceUri(element) === HTML, tag = localName(element);
    if (tag === 'textarea') return what === 'resolvedHref' ? null : '';
    const shown = what === 'innerText' && html ? innerText(element) : null;
    if (shown !== null) return isUnlaid(element, shown) ? gather(element, true) : shown;
    if (what !== 'resolvedHref') return queryInElement(element, 'textarea').length > 0 ? gather(element, false) : textContent(element);
    const href = getAttribute(element, 'href');
    return href === null ? null : html && tag === 'a' ? anchorHref(element) : html && tag === 'area' ? areaHref(element)
      : URL.parse(href, baseUri(element))?.href ?? href;
  };

  const match = (/** @type {{selector: string | null, within: number | null, reads: any[], most: number, inside?: any}[]} */ sets) => {
    const found = /** @type {any[][]} */ ([]);
    for (const { selector, within, reads, most, inside } of sets) {
      let taken = 0; const at = ints.push(0, 0) - 2, mine = found[found.push([]) - 1];
      try { if (selector !== null) queryInFragment(nothing, selector); } catch { ints[at] = -1; continue; }
      (within === null ? [[document, 0]] : found[within]).forEach(([place, bits], index) => {
        if (inside && ((bits & inside.with) !== inside.with || bits & inside.without || taken++ >= inside.most)) return;
        const all = selector === null ? [place] : (within === null ? queryInDocument : queryInElement)(place, selector);
        ints[at] += all.length;
        for (let i = 0; i < all.length && i < most; i++) {
          const tag = localName(all[i]), state = look(all[i], tag, inherited(all[i])) & FLAGS;
          ints.push(within === null ? -1 : index, state, width, height);
          for (const what of reads) write(read(all[i], what));
          mine.push([all[i], state]);
        }
      });
      ints[at + 1] = mine.length;
    }
  };
  const collect = (/** @type {string} */ scope) => {
    const at = ints.length, /** @type {Map<any, number>} */ ranks = new Map(), /** @type {Map<string, number>} */ tags = new Map();
    let /** @type {any} */ scopes = null;
    try { scopes = queryInDocument(document, scope); } catch { /* No selector. */ }
    ints.push(scopes ? scopes.length : -1, 0, 0);
    if (scopes?.length !== 1) return;
    /** Siblings of the same tag that were counted before. @type {(tag: string) => number} */
    const rank = (tag) => { const before = tags.get(tag) ?? 0; tags.set(tag, before + 1); return before; };
    const todo = [{ element: scopes[0], parent: -1, before: 0, up: inherited(scopes[0]) }];
    for (let next = todo.pop(); next; next = todo.pop()) {
      const { element, parent, before, up } = next;
      const tag = localName(element), mute = MUTE.has(tag), /** @type {any[]} */ children = [];
      let state = look(element, tag, up), own = '';
      const shadow = openRoot(element) ?? (closedRoot && !(state & GONE) && (HOSTS.test(tag) || tag.includes('-'))
        && namespaceUri(element) === HTML ? closedRoot(element) : null);
      const child = (/** @type {any} */ node) => {
        const type = nodeType(node);
        if (type === 1) children.push(node);
        const text = type === 1 ? '\u0001' : !mute && (type === 3 || type === 4) ? data(node) : '';
        own += type !== 1 && text.includes('\u0001') ? text.replaceAll('\u0001', '\ufffd') : text;
      };
      const assigned = tag === 'slot' ? assignedNodes(element) : [];
      for (const node of assigned) child(node);
      if (assigned.length === 0) for (let node = firstChild(shadow ?? element); node; node = nextSibling(node)) child(node);
      if (shadow) {
        state |= SHADOW | BELOW_HOST;
        // Children of the host that no slot shows come last; their ranks are those among its own children.
        const slotted = new Set(Array.from(queryInFragment(shadow, 'slot'), (slot) => assignedNodes(slot)).flat());
        tags.clear();
        for (let node = firstChild(element); node; node = nextSibling(node)) {
          if (nodeType(node) !== 1) continue;
          ranks.set(node, rank(localName(node)));
          if (!slotted.has(node)) child(node);
        }
      }
      const index = ints[at + 1];
      if (index < MAX_NODES) {
        const names = hasAttributes(element) ? getAttributeNames(element).filter((/** @type {string} */ name) => COPIED_ATTRIBUTES.has(name)) : [];
        ints[at + 1]++; ints.push(parent, state & FLAGS, width, height, before, names.length);
        write(tag); write(own);
        for (const name of names) { write(name); write(getAttribute(element, name).slice(0, MAX_TEXT)); }
      } else {
        ints[at + 2]++; cut += own.length - children.length;
      }
      tags.clear();
      const befores = children.map((one) => ranks.get(one) ?? rank(localName(one)));
      for (let i = children.length - 1; i >= 0; i--) todo.push({ element: children[i], parent: index, before: befores[i], up: state });
    }
  };

  const run = (/** @type {string} */ json) => {
    const op = JSON.parse(json), ready = ['loading', 'interactive', 'complete'].indexOf(readyState(document));
    [ints, texts] = [[VERSION, epoch, ready, queryInDocument(document, 'iframe, frame').length], []];
    [location.href, self.origin, documentTitle(document)].forEach(write); ints.push(0, 0);
    [root, body, pageX, pageY, cut] = [rootOf(document), bodyOf(document), scrollX, scrollY, 0];
    leftEdge = root && styleOf(root).direction === 'rtl' ? clientWidth(root) - scrollWidth(root) : 0;
    if (op.op === 'match') { match(op.sets); watch(); } else collect(op.scope);
    ints[7] = cut;
    const columns = `${ints.length};${ints.join(',')}\n${texts.join('')}`;
    [ints, texts, states, root, body] = [[], [], new Map(), null, null];
    return columns;
  };

  // Watched from a match to the first change after it, and while somebody waits: no change between the two is missed.
  let watching = false, changedSince = false;
  const /** @type {Set<(answer: boolean) => void>} */ waiting = new Set(), observer = new MutationObserver(() => notice());
  const each = (/** @type {typeof listen} */ action) =>
    [document, window].forEach((on) => EVENTS.forEach((event) => action(on, event, notice, true)));
  const notice = () => {
    observer.disconnect(); each(unlisten);
    [watching, changedSince] = [false, true]; waiting.forEach((end) => end(true));
  };
  const watch = () => {
    if (watching) observer.takeRecords(); else each(listen);
    [watching, changedSince] = [true, false];
    observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  };
  const changed = (/** @type {number} */ milliseconds) => new Promise((resolve) => {
    const already = changedSince, timer = setTimeout(() => end(false), milliseconds);
    const end = (/** @type {boolean} */ answer) => { clearTimeout(timer); waiting.delete(end); resolve(answer); };
    if (!watching) watch();
    if (already) end(true); else waiting.add(end);
  });
  Object.defineProperty(globalThis, 'drawbridgePort', { value: Object.freeze({ run, changed }) });
})();
