// @ts-check
/**
 * The acting part of the DOM port: says where an element can be pressed, notes what the document gets, and moves the
 * keyboard. It is put into a document only where something is done in it, and decides nothing. What an operation and its
 * columns look like is written in protocol/src/reader/acting.rs.
 */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (!port || Object.hasOwn(port.kit.more, 'act')) return;
  const { dom, kept, out, write, isSecret, isTyped, shadowOf } = port.kit, { look, above, inherited } = port.kit.more;
  const FACTS = Object.freeze({
    SUBMITS: 1, LEAVES: 2, FILE: 4, SELECT: 8, FIELD: 16, EDITABLE: 32, CHECKABLE: 64, CHECKED: 128, MIXED: 256, ARIA_DISABLED: 512,
    NO_POINTER: 1 << 10, READ_ONLY: 1 << 11, FRAME: 1 << 12, CANVAS: 1 << 13, ENTER_SUBMITS: 1 << 14, ANIMATES: 1 << 15, MULTIPLE: 1 << 16,
    RADIO: 1 << 17, NATIVE_BOX: 1 << 18, SECRET: 1 << 19, FOCUSABLE: 1 << 20, IN_FORM: 1 << 21, OPENS: 1 << 22,
  });
  /** Further members, as `dom` has them. @type {any} */
  const more = {};
  for (const [type, names] of Object.entries({
    Element: 'scrollIntoView getClientRects getAnimations currentCSSZoom', HTMLElement: 'focus blur isContentEditable offsetHeight clientLeft clientTop tabIndex',
    HTMLInputElement: 'form readOnly type', HTMLButtonElement: 'form type', HTMLTextAreaElement: 'form readOnly', HTMLSelectElement: 'form multiple',
    HTMLLabelElement: 'control', HTMLDetailsElement: 'open', HTMLAnchorElement: 'target', HTMLFormElement: 'elements requestSubmit',
    SVGElement: 'focus blur tabIndex', Document: 'hasFocus URL', Event: 'isTrusted composedPath defaultPrevented type target',
    HTMLIFrameElement: 'src contentDocument', Animation: 'playState', CharacterData: 'data',
  })) {
    for (const name of names.split(' ')) {
      const found = Object.getOwnPropertyDescriptor(/** @type {any} */ (globalThis)[type].prototype, name)
        ?? Object.getOwnPropertyDescriptor(Element.prototype, name);
      // `isTrusted` is each event's own and cannot be forged.
      if (found) more[`${type}_${name}`] = Function.prototype.call.bind(/** @type {any} */ (found.get ?? found.value));
    }
  }
  const styleOf = getComputedStyle, TEXTLESS = new Set('button checkbox color file hidden image radio range reset submit'.split(' '));
  const BOXES = new Set('checkbox radio switch menuitemcheckbox menuitemradio'.split(' '));
  const FRAMES = new Set(['iframe', 'frame', 'object', 'embed']);
  const exact = (/** @type {number} */ px) => Math.round(px * 100);
  const attribute = (/** @type {any} */ element, /** @type {string} */ name) => dom.getAttribute(element, name) ?? '';
  const find = (/** @type {number} */ ref) => {
    const element = kept.held.get(ref)?.deref();
    return element && dom.isConnected(element) && dom.ownerDocument(element) === document ? element : null;
  };

  /** Words for an element: tag, id, and how it begins. Nothing of what a field holds. @type {(element: any) => string} */
  const words = (element) => {
    if (!element) return '';
    const tag = dom.localName(element), id = attribute(element, 'id'), name = attribute(element, 'aria-label');
    let text = name || attribute(element, 'placeholder') || attribute(element, 'alt');
    if (!text && tag !== 'textarea' && tag !== 'select' && !isTyped(element)) {
      const walker = dom.Document_createTreeWalker(document, element, 4);
      for (let steps = 0; steps < 40 && text.length < 40; steps += 1) {
        const node = dom.TreeWalker_nextNode(walker);
        if (!node) break;
        text += ` ${dom.CharacterData_data(node).slice(0, 80)}`;
      }
    }
    const plain = (/** @type {string} */ said) => said.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim().slice(0, 40).replaceAll('"', "'");
    return `${plain(tag)}${id ? `#${plain(id)}` : ''}${plain(text) ? ` "${plain(text)}"` : ''}`;
  };
  /** The element with the keyboard, in whatever shadow tree. */
  const active = () => {
    let at = dom.Document_activeElement(document);
    for (let root = at && shadowOf(at); root; root = at && shadowOf(at)) {
      const inner = dom.ShadowRoot_activeElement(root);
      if (!inner) break;
      at = inner;
    }
    return at;
  };
  const formOf = (/** @type {any} */ element, /** @type {string} */ tag) => tag === 'input' ? more.HTMLInputElement_form(element)
    : tag === 'button' ? more.HTMLButtonElement_form(element) : tag === 'textarea' ? more.HTMLTextAreaElement_form(element)
      : tag === 'select' ? more.HTMLSelectElement_form(element) : dom.closest(element, 'form');
  const typeOf = (/** @type {any} */ element, /** @type {string} */ tag) => tag === 'input' ? more.HTMLInputElement_type(element)
    : tag === 'button' ? more.HTMLButtonElement_type(element) : attribute(element, 'type');
  const isSubmit = (/** @type {any} */ element) => {
    const tag = dom.localName(element), type = typeOf(element, tag);
    return ((tag === 'button' && type === 'submit') || (tag === 'input' && (type === 'submit' || type === 'image'))) && formOf(element, tag) !== null;
  };
  /** Whether Enter in a field submits its form: it has a button for that, or no other field of one line. @type {(form: any) => boolean} */
  const submitsByEnter = (form) => {
    const parts = [...more.HTMLFormElement_elements(form)];
    return parts.some(isSubmit) || parts.filter((one) => dom.localName(one) === 'input' && !TEXTLESS.has(more.HTMLInputElement_type(one))).length <= 1;
  };

  /** @type {(element: any) => number} */
  const factsOf = (element) => {
    const tag = dom.localName(element), type = typeOf(element, tag), role = attribute(element, 'role'), isHtml = dom.namespaceURI(element) === port.kit.HTML;
    let facts = 0;
    // What a press on something inside of it does, it does.
    for (let box = element; box; box = above(box)) {
      const name = dom.localName(box);
      if (attribute(box, 'aria-disabled') === 'true') facts |= FACTS.ARIA_DISABLED;
      if (isSubmit(box)) facts |= FACTS.SUBMITS;
      const label = name === 'label' ? more.HTMLLabelElement_control(box) : null;
      if (label && label !== element && isSubmit(label)) facts |= FACTS.SUBMITS;
      if ((name === 'a' || name === 'area') && dom.hasAttribute(box, 'href') && !attribute(box, 'href').startsWith('#')
        && !dom.hasAttribute(box, 'download') && !/^\s*javascript:/i.test(attribute(box, 'href'))) facts |= ['', '_self', '_top', '_parent'].includes(attribute(box, 'target')) ? FACTS.LEAVES : FACTS.OPENS;
      if (more.Element_getAnimations(box).some((/** @type {any} */ one) => more.Animation_playState(one) === 'running')) facts |= FACTS.ANIMATES;
    }
    if (tag === 'input' && type === 'file') facts |= FACTS.FILE;
    if (tag === 'select') facts |= FACTS.SELECT | (more.HTMLSelectElement_multiple(element) ? FACTS.MULTIPLE : 0);
    if (tag === 'textarea' || (tag === 'input' && (!TEXTLESS.has(type) || type === 'color' || type === 'range'))) facts |= FACTS.FIELD;
    if (isHtml && more.HTMLElement_isContentEditable(element)) facts |= FACTS.EDITABLE;
    const isBox = tag === 'input' && (type === 'checkbox' || type === 'radio');
    if (isBox) facts |= FACTS.NATIVE_BOX;
    if (isBox || BOXES.has(role)) {
      const told = isBox ? (dom.HTMLInputElement_indeterminate(element) ? 'mixed' : String(dom.HTMLInputElement_checked(element))) : attribute(element, 'aria-checked');
      facts |= FACTS.CHECKABLE | (told === 'true' ? FACTS.CHECKED : 0) | (told === 'mixed' ? FACTS.MIXED : 0);
      if (type === 'radio' || role === 'radio' || role === 'menuitemradio') facts |= FACTS.RADIO;
    }
    if (styleOf(element).pointerEvents === 'none') facts |= FACTS.NO_POINTER;
    if ((tag === 'input' && more.HTMLInputElement_readOnly(element)) || (tag === 'textarea' && more.HTMLTextAreaElement_readOnly(element))
      || attribute(element, 'aria-readonly') === 'true') facts |= FACTS.READ_ONLY;
    if (FRAMES.has(tag)) facts |= FACTS.FRAME;
    if (tag === 'canvas') facts |= FACTS.CANVAS;
    const form = tag === 'form' ? element : formOf(element, tag);
    if (form) facts |= FACTS.IN_FORM;
    if (form && (tag === 'select' || (tag === 'input' && !['button', 'reset', 'file'].includes(type))) && submitsByEnter(form)) facts |= FACTS.ENTER_SUBMITS;
    if (isSecret(element, tag) || isTyped(element)) facts |= FACTS.SECRET;
    if (isHtml ? more.HTMLElement_tabIndex(element) >= 0 || facts & FACTS.EDITABLE : dom.hasAttribute(element, 'tabindex')) facts |= FACTS.FOCUSABLE;
    return facts;
  };

  /** What is in front at a point, in whatever shadow tree. @type {(x: number, y: number) => any} */
  const front = (x, y) => {
    let at = dom.Document_elementFromPoint(document, x, y);
    for (let root = at && shadowOf(at); root; root = at && shadowOf(at)) {
      const inner = dom.ShadowRoot_elementFromPoint(root, x, y);
      if (!inner || inner === at) break;
      at = inner;
    }
    return at;
  };
  const isPart = (/** @type {any} */ element, /** @type {any} */ of) => {
    for (let box = element; box; box = above(box)) {
      if (box === of || (dom.localName(box) === 'label' && more.HTMLLabelElement_control(box) === of)) return true;
    }
    return false;
  };
  /** The part of a box that no box around it cuts off, in the viewport. @type {(element: any, box: any) => any} */
  const seenPart = (element, box) => {
    let [left, top, right, bottom] = [Math.max(0, box.left), Math.max(0, box.top), Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
    let position = styleOf(element).position;
    for (let around = above(element); around && position !== 'fixed'; around = above(around)) {
      const style = styleOf(around);
      if (around === port.kit.page.root || around === port.kit.page.body || style.display === 'contents') continue;
      const escapes = position === 'absolute' && style.position === 'static';
      if (!escapes && style.overflow !== 'visible' && style.display !== 'inline') {
        const rect = dom.getBoundingClientRect(around);
        [left, top, right, bottom] = [Math.max(left, rect.left), Math.max(top, rect.top), Math.min(right, rect.right), Math.min(bottom, rect.bottom)];
      }
      if (!escapes) position = style.position;
    }
    return right - left >= 1 && bottom - top >= 1 ? { left, top, width: right - left, height: bottom - top } : null;
  };
  /** The largest part of it that can be seen; an inline element may have several boxes. */
  const spot = (/** @type {any} */ element) => [...more.Element_getClientRects(element)].slice(0, 20).map((box) => seenPart(element, box))
    .filter((part) => part !== null).sort((one, other) => other.width * other.height - one.width * one.height)[0] ?? null;
  /** Middle first, then towards the corners. */
  const TRIED = [[.5, .5], [.25, .5], [.75, .5], [.5, .25], [.5, .75], [.1, .1], [.9, .1], [.1, .9], [.9, .9]];
  const ownIndex = () => { for (let at = 0; parent !== self && at < parent.length; at += 1) if (parent[at] === self) return at; return -1; };

  Object.assign(port.ops, {
    aim({ ref, scroll, center, held }) {
      const element = find(ref);
      if (!element) { out.ints.push(0); return; }
      const tag = dom.localName(element), said = words(element);
      let part = spot(element);
      if (center || (!part && scroll && dom.checkVisibility(element))) {
        more.Element_scrollIntoView(element, { block: 'center', inline: 'center', behavior: 'instant' });
        part = spot(element);
      }
      const box = dom.getBoundingClientRect(element);
      let point = part ? [part.left + part.width / 2, part.top + part.height / 2] : [0, 0], at = part ? front(point[0], point[1]) : null, hit = part ? 1 : 2;
      const points = part ? TRIED.map(([x, y]) => [part.left + part.width * x, part.top + part.height * y]) : [];
      if (part && held) points.unshift([held[0] / 100, held[1] / 100]);
      for (const tried of points) {
        if (!isPart(front(tried[0], tried[1]), element)) continue;
        [point, hit] = [tried, 0];
        break;
      }
      // What is pressed is what is in front: a part of it may do what it does not.
      const inFront = hit === 0 ? front(point[0], point[1]) : null, does = inFront ? factsOf(inFront) & (FACTS.SUBMITS | FACTS.LEAVES | FACTS.OPENS) : 0;
      if (hit === 0) at = null;
      out.ints.push(1, look(element, tag, inherited(element)), factsOf(element) | does, exact(box.left), exact(box.top), exact(box.width), exact(box.height),
        exact(point[0]), exact(point[1]), hit, innerWidth, innerHeight, ownIndex(), port.kit.more.note.sincePerson(), said === words(element) ? 0 : 1);
      [tag, typeOf(element, tag), words(element), words(at)].forEach((text) => write(text));
    },
    through({ window: index, url, x, y }) {
      const frames = [], search = [document];
      while (search.length > 0) {
        const root = search.pop();
        for (const one of (root === document ? dom.Document_querySelectorAll(document, '*') : dom.DocumentFragment_querySelectorAll(root, '*'))) {
          if (FRAMES.has(dom.localName(one))) frames.push(one);
          const inner = shadowOf(one);
          if (inner) search.push(inner);
        }
      }
      const windowOf = (/** @type {any} */ frame) => ({ iframe: dom.HTMLIFrameElement_contentWindow, frame: dom.HTMLFrameElement_contentWindow, object: dom.HTMLObjectElement_contentWindow })[dom.localName(frame)]?.(frame) ?? null;
      const listed = new Set(Array.from({ length }, (_, at) => self[at]));
      let found = frames.filter((one) => { const inner = windowOf(one); return inner !== null && (index >= 0 ? inner === self[index] : !listed.has(inner)); });
      if (found.length > 1) found = found.filter((one) => dom.localName(one) === 'iframe' && more.HTMLIFrameElement_src(one) === url);
      // Zoomed by a style sheet, a point in it would be missed.
      if (found.length !== 1 || (more.Element_currentCSSZoom?.(found[0]) ?? 1) !== 1) { out.ints.push(0); return; }
      const [frame] = found;
      // The linear part comes from the transformations around it, the rest from where its box lies.
      let matrix = new DOMMatrix();
      for (let box = frame; box; box = above(box)) {
        const style = styleOf(box), own = new DOMMatrix(style.transform === 'none' ? '' : style.transform);
        if (style.rotate !== 'none') own.rotateSelf(parseFloat(style.rotate));
        if (style.scale !== 'none') { const [wide, high = wide] = style.scale.split(' ').map(Number); own.scaleSelf(wide, high); }
        matrix = new DOMMatrix([own.a, own.b, own.c, own.d, 0, 0]).multiply(matrix);
      }
      const wide = dom.HTMLElement_offsetWidth(frame), high = more.HTMLElement_offsetHeight(frame), box = dom.getBoundingClientRect(frame), style = styleOf(frame);
      const corners = [[0, 0], [wide, 0], [0, high], [wide, high]].map(([a, b]) => matrix.transformPoint(new DOMPoint(a, b)));
      const inner = matrix.transformPoint(new DOMPoint(dom.clientLeft(frame) + parseFloat(style.paddingLeft) + x / 100, dom.clientTop(frame) + parseFloat(style.paddingTop) + y / 100));
      const px = box.left + inner.x - Math.min(...corners.map((one) => one.x)), py = box.top + inner.y - Math.min(...corners.map((one) => one.y));
      const inside = px >= 0 && py >= 0 && px < innerWidth && py < innerHeight, at = inside ? front(px, py) : null;
      out.ints.push(1, exact(px), exact(py), inside ? (at === frame ? 0 : 1) : 2, innerWidth, innerHeight, ownIndex());
      write(at === frame ? '' : words(at));
    },
    focus({ ref, blur }) {
      const element = find(ref);
      if (!element) { out.ints.push(0, 0); return; }
      const isHtml = dom.namespaceURI(element) === port.kit.HTML, call = isHtml ? 'HTMLElement' : 'SVGElement';
      if (blur) more[`${call}_blur`](element); else more[`${call}_focus`](element, { preventScroll: true });
      out.ints.push(1, active() === element ? 1 : 0);
    },
  });
  port.kit.more.act = Object.freeze({ find, words, active, front, factsOf, typeOf, formOf, isSubmit, attribute, more, FACTS, FRAMES });
})();
