// @ts-check
/** Captures: the whole document at one moment, element by element. An operation of the DOM port. */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (port.ops.capture) return;
  const { FLAGS, HTML, dom, kept, more, out, page, seen, write, isSelector, isSecret, select: matches, shadowOf, closedRoot } = port.kit;
  const { begin, look: lookAt, lookOf, wear, isUnsaid } = more, styleOf = getComputedStyle;
  const { RENDERED, VISIBLE, TRANSPARENT, CONTENTS, CLIPS, SHADOW, OFF_PAGE, BLOCK, FOREIGN, POINTER, FOCUSED, IN_VIEW, SECRET } = FLAGS;
  const { FILLED, EDITABLE, TOP_LAYER, PINNED, BLENDS, POSITIONED, UPPERCASE, LOWERCASE, CAPITALIZE, GONE, BELOW_HOST, NAMING } = FLAGS;
  const WHOLE = RENDERED | VISIBLE | TRANSPARENT | CLIPS | OFF_PAGE | CONTENTS | FOREIGN, PLAIN = RENDERED | VISIBLE, TOLD = (1 << 25) - 1;
  const MAX_NODES = 200_000, MAX_OWN = 16_000_000, MAX_VALUE = 10_000, MAX_DATA_URL = 100, DOUBTFUL_HOSTS = 1_000;
  const KEYS = (`id class role href src alt title name type value for label placeholder autocomplete required readonly multiple size accept
    min max step pattern list tabindex contenteditable onclick draggable open hidden lang dir colspan rowspan scope headers datetime
    data-testid itemprop rel usemap popovertarget is aria-label aria-labelledby aria-describedby aria-description aria-hidden aria-checked
    aria-pressed aria-expanded aria-selected aria-disabled aria-required aria-invalid aria-errormessage aria-readonly aria-level
    aria-valuenow aria-valuetext aria-valuemin aria-valuemax aria-haspopup aria-modal aria-multiselectable aria-orientation aria-sort
    aria-current aria-live aria-busy aria-owns aria-controls aria-activedescendant aria-posinset aria-setsize aria-rowindex aria-colindex
    aria-rowcount aria-colcount aria-rowspan aria-colspan aria-placeholder aria-roledescription :value :checked :selected :before :after
    :message :window :layer :scroll :inset`).split(/\s+/), KEY = new Map(KEYS.map((name, index) => [name, index]));
  KEY.set('xlink:href', KEY.get('href') ?? 0);
  const words = (/** @type {string} */ list) => new Set(list.split(' '));
  const BUTTONS = words('submit reset button image hidden');
  /** What people act on and is named by what is in it: looking at generated content costs as much as all the rest of an element. */
  const NAMED = words('a button label summary h1 h2 h3 h4 h5 h6 legend caption option'), NAMED_ROLE =
    /\b(button|link|checkbox|radio|switch|tab|menuitem\w*|treeitem|option|heading|gridcell|columnheader|rowheader|combobox|tooltip)\b/;
  /** The built-in elements that `attachShadow` takes; a custom element is one too. */
  const HOSTS = words('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
  const FRAMES = new Map([['iframe', 'HTMLIFrameElement'], ['frame', 'HTMLFrameElement'], ['object', 'HTMLObjectElement']]);
  const FIELDS = words('input textarea select');

  let /** @type {number[]} */ ints = [], keys = 0;
  const put = (/** @type {number | undefined} */ key, /** @type {string} */ text) => {
    ints.push(key ?? -1); keys++; write(text, text.startsWith('data:') ? MAX_DATA_URL : MAX_VALUE);
  };

  /** Attributes of an element, and the flags that they give. @type {(element: any, tag: string, names: string[], state: number) => number} */
  const attributes = (element, tag, names, state) => {
    const unsaid = state & SECRET || (tag === 'input' && dom.HTMLInputElement_type(element) === 'hidden');
    for (const name of names) {
      const key = KEY.get(name);
      if (name === 'popover' && dom.matches(element, ':popover-open')) state |= TOP_LAYER;
      if (key === undefined || (unsaid && name === 'value')) continue;
      const text = dom.getAttribute(element, name);
      if (name === 'role' ? NAMED_ROLE.test(text) : name === 'tabindex') state |= NAMING;
      if (name === 'contenteditable' && /^(true|plaintext-only)?$/i.test(text)) state |= EDITABLE;
      if (name === 'contenteditable' && /^false$/i.test(text)) state &= ~EDITABLE;
      put(key, text);
    }
    return state;
  };
  /** Says of a choice that a style sheet takes away what it says of one that has the attribute. @type {(element: any) => void} */
  const hide = (element) => {
    if (!dom.hasAttribute(element, 'hidden') && styleOf(element).display === 'none') put(KEY.get('hidden'), '');
  };
  /** What a field, an option or a frame holds. @type {(element: any, tag: string, state: number) => number} */
  const facts = (element, tag, state) => {
    let /** @type {string} */ value = '', message = '';
    if (tag === 'input') {
      const type = dom.HTMLInputElement_type(element), box = type === 'checkbox' || type === 'radio';
      const mixed = type === 'checkbox' && dom.HTMLInputElement_indeterminate(element);
      if (box) put(KEY.get(':checked'), mixed ? 'mixed' : String(dom.HTMLInputElement_checked(element)));
      else if (!BUTTONS.has(type)) value = dom.HTMLInputElement_value(element);
      message = 'HTMLInputElement_validationMessage';
    } else if (tag === 'textarea') {
      [value, message] = [dom.HTMLTextAreaElement_value(element), 'HTMLTextAreaElement_validationMessage'];
    } else if (tag === 'select') {
      value = Array.from(dom.HTMLSelectElement_selectedOptions(element), dom.HTMLOptionElement_label).join('\u0001');
      message = 'HTMLSelectElement_validationMessage';
    } else if (tag === 'option') {
      if (!(state & SECRET) && dom.HTMLOptionElement_selected(element)) put(KEY.get(':selected'), 'true');
      hide(element);
    } else if (tag === 'optgroup') {
      hide(element);
    } else if (FRAMES.has(tag)) {
      const inner = dom[`${FRAMES.get(tag)}_contentWindow`](element);
      let at = inner ? self.length - 1 : -1;
      while (at >= 0 && self[at] !== inner) at--;
      if (inner) put(KEY.get(':window'), String(at));
      if (inner && state & RENDERED) {
        const { paddingLeft, paddingTop } = styleOf(element);
        put(KEY.get(':inset'), [dom.clientLeft(element) + parseFloat(paddingLeft), dom.clientTop(element) + parseFloat(paddingTop)].map(Math.round).join());
      }
    }
    if (value !== '') state |= FILLED;
    if (value !== '' && !(state & SECRET)) put(KEY.get(':value'), value);
    if (message && dom.matches(element, ':user-invalid')) put(KEY.get(':message'), dom[message](element));
    return state;
  };

  const inView = () => {
    const x = seen.left - page.x, y = seen.top - page.y;
    return x < page.width && y < page.height && x + seen.width > 0 && y + seen.height > 0 ? IN_VIEW : 0;
  };
  /** Where an element is scrolled to, if there is more of it than it shows. */
  const scrolled = (/** @type {Element} */ element) => {
    const { root, body } = page;
    if (seen.height <= 20 || element === root || (element === body && styleOf(root).overflowY === 'visible')) return;
    const [whole, shown] = [dom.scrollHeight(element), dom.clientHeight(element)];
    if (whole > shown + 1) put(KEY.get(':scroll'), [Math.round(dom.scrollTop(element)), whole, shown].join());
  };

  /** Own text and element children of what is captured. */
  let own = '', /** @type {any[]} */ children = [];
  const child = (/** @type {any} */ node, /** @type {boolean} */ mute) => {
    const type = dom.nodeType(node);
    if (type === 1) { own += '\u0001'; children.push(node); return; }
    const text = !mute && (type === 3 || type === 4) ? dom.CharacterData_data(node) : '';
    own += text.includes('\u0001') ? text.replaceAll('\u0001', '\ufffd') : text;
  };
  const capture = (/** @type {{select: string[], generated: boolean, watch?: boolean}} */ { select, generated, watch }) => {
    const /** @type {any[]} */ shadows = [], /** @type {Map<any, number>} */ ranks = new Map(), /** @type {number[]} */ scopes = [];
    let seat = parent === self ? -1 : parent.length - 1, focus = dom.Document_activeElement(document), doubts = 0;
    while (seat >= 0 && parent[seat] !== self) seat--;
    for (let at = focus; at; at = shadowOf(at) && dom.ShadowRoot_activeElement(shadowOf(at))) focus = at;
    ints = out.ints;
    const { root, body } = page, size = ints.push(++kept.capture, kept.highest, seat, innerWidth, innerHeight, Math.round(scrollX), Math.round(scrollY), 0, 0) - 2;
    const /** @type {any[]} */ todo = [];
    const enter = (/** @type {any[]} */ list, /** @type {number} */ index, /** @type {number} */ scope, /** @type {number} */ up, sort = 0, rest = page.rest) => {
      if (list.length > 0) todo.push({ list, at: 0, index, scope, up, sort, rest, tags: new Map() });
    };
    const /** @type {any[]} */ latest = kept.latest = [];
    begin();
    if (root) enter([root], -1, -1, dom.Document_designMode(document) === 'on' ? RENDERED | EDITABLE : RENDERED);
    for (let frame = todo[0]; frame; frame = todo[todo.length - 1]) {
      if (frame.at === frame.list.length) { todo.pop(); continue; }
      const element = frame.list[frame.at++], tag = dom.localName(element), { scope, tags } = frame;
      const space = dom.namespaceURI(element);
      let mute = isUnsaid(element, tag, space);
      let before = ranks.get(element) ?? -1, state = frame.up;
      if (before < 0) tags.set(tag, (before = tags.get(tag) ?? 0) + 1);
      const html = space === HTML, index = latest.length, fits = index < MAX_NODES;
      const names = dom.hasAttributes(element) ? dom.getAttributeNames(element) : [], look = lookOf(frame.sort, tag, names, element);
      seen.rest = frame.rest;
      if (fits) state = lookAt(element, tag, state, look.isKnown ? look : null, names.includes('inert'));
      const left = seen.rest;
      if (tag === 'option' || tag === 'optgroup' || state & EDITABLE) state |= frame.up & SECRET;
      const edits = html && names.includes('contenteditable') && !FIELDS.has(tag);
      if (edits && isSecret(element, tag)) state |= SECRET | (dom.textContent(element) === '' ? 0 : FILLED);
      if (state & SECRET && (edits || state & EDITABLE)) mute = true;
      const slotted = tag === 'slot' && scope >= 0 ? dom.HTMLSlotElement_assignedNodes(element) : [];
      let shadow = dom.shadowRoot(element), /** @type {any[]} */ rest = [];
      own = ''; children = [];
      for (const node of slotted) child(node, mute);
      if (!shadow && slotted.length === 0) for (let node = dom.firstChild(element); node; node = dom.nextSibling(node)) child(node, mute);
      // Asking for a closed root takes as long as all the rest: on a large page only what looks odd is asked.
      if (!shadow && closedRoot && html && !(state & GONE) && (tag.includes('-') || (HOSTS.has(tag) && (doubts++ < DOUBTFUL_HOSTS
        || (children.length > 0 ? !dom.checkVisibility(children[0]) : own.trim() === ''))))) shadow = closedRoot(element);
      if (shadow) {
        [rest, own, children] = [[], '', []]; shadows.push(shadow); more.doubt(); state |= SHADOW | BELOW_HOST;
        for (let node = dom.firstChild(shadow); node; node = dom.nextSibling(node)) child(node, mute);
        const slots = [...dom.DocumentFragment_querySelectorAll(shadow, 'slot')];
        const shown = new Set(slots.flatMap((slot) => dom.HTMLSlotElement_assignedNodes(slot)));
        const /** @type {Map<string, number>} */ among = new Map();
        for (let node = dom.firstChild(element); node; node = dom.nextSibling(node)) {
          if (dom.nodeType(node) !== 1) continue;
          const name = dom.localName(node), place = among.get(name) ?? 0;
          among.set(name, place + 1); ranks.set(node, place);
          if (!shown.has(node)) { rest.push(node); own += '\u0001'; }
        }
      }
      if (fits) {
        latest.push(element); scopes.push(scope);
        const base = ints.push(frame.index, 0, Math.round(seen.left), Math.round(seen.top), seen.width, seen.height, before, scope,
          kept.highest > 0 ? kept.refs.get(element) ?? 0 : 0, 0);
        write(tag); write(own, MAX_OWN); keys = 0;
        if (!html) state |= FOREIGN;
        if (element === focus && element !== body) state |= FOCUSED;
        if (NAMED.has(tag)) state |= NAMING;
        if (html && FIELDS.has(tag) && isSecret(element, tag)) state |= SECRET;
        if (names.length > 0) state = attributes(element, tag, names, state);
        if (html) state = facts(element, tag, state);
        if (state & RENDERED && !(state & CONTENTS)) {
          const isText = (state & WHOLE) === PLAIN && /[^\s\u0001]/.test(own);
          wear(element, look, state, isText, generated && (state & NAMING) > 0);
          state |= look.bits | inView() | (isText ? look.text | (look.blends ? BLENDS : 0) : 0);
          if (look.layer !== 'auto') put(KEY.get(':layer'), look.layer);
          if (look.scrolls && children.length > 0) scrolled(element);
          if (generated && state & NAMING && look.before) put(KEY.get(':before'), look.before);
          if (generated && state & NAMING && look.after) put(KEY.get(':after'), look.after);
        }
        ints[base - 9] = state & TOLD; ints[base - 1] = keys; ints[size]++;
      } else {
        ints[size + 1]++; out.cut += own.length - children.length - rest.length;
      }
      enter(rest, index, scope, state, look.sort, left);
      enter(children, index, shadow ? index : slotted.length > 0 ? scopes[scope] : scope, state, look.sort, left);
    }
    selected(select, shadows);
    if (watch) /** @type {any} */ (globalThis).drawbridgeWatch?.begin(shadows);
    points();
    [ints, children] = [[], []]; more.leave();
  };

  /** What selectors match, in every tree of the document. @type {(select: string[], shadows: any[]) => void} */
  const selected = (select, shadows) => {
    const places = select.length > 0 ? new Map(kept.latest.map((/** @type {any} */ element, /** @type {number} */ index) => [element, index])) : new Map();
    for (const selector of select) {
      if (!isSelector(selector)) { ints.push(-1, 0); continue; }
      const all = [document, ...shadows].flatMap((tree) => [...matches(tree, selector)]);
      const told = all.map((element) => places.get(element) ?? -1).filter((index) => index >= 0).sort((a, b) => a - b);
      ints.push(all.length, told.length); for (const index of told) ints.push(index);
    }
  };
  /** The frontmost element at points of the viewport, three rows of three. */
  const points = () => {
    ints.push(9);
    for (let i = 0; i < 9; i++) {
      const [x, y] = [innerWidth * (i % 3 + 0.5) / 3, innerHeight * (Math.floor(i / 3) + 0.5) / 3];
      let hit = null, inner = dom.Document_elementFromPoint(document, x, y), shadow = document;
      while (inner && dom.getRootNode(inner) === shadow) {
        hit = inner;
        shadow = shadowOf(hit);
        inner = shadow && dom.ShadowRoot_elementFromPoint(shadow, x, y);
      }
      ints.push(hit ? kept.latest.indexOf(hit) : -1);
    }
  };
  port.ops.capture = capture;
})();
