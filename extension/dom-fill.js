// @ts-check
/**
 * The filling part of the DOM port: which field an element stands for, what it holds, and its options. It is put there
 * with dom-act.js, and decides nothing. What an operation and its columns look like is written in
 * protocol/src/reader/filling.rs.
 */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (!port || Object.hasOwn(port.kit.more, 'fill')) return;
  const { dom, kept, out, write, isSecret, isTyped, shadowOf, FLAGS, HTML } = port.kit, { look, above, inherited } = port.kit.more;
  const { find, words, active, typeOf, attribute, more } = port.kit.more.act;
  /** Further members; with `=` their setters. @type {any} */
  const own = {};
  for (const [type, names] of Object.entries({
    EventTarget: 'dispatchEvent', HTMLElement: 'focus editContext', HTMLLabelElement: 'control',
    HTMLInputElement: 'select setSelectionRange maxLength labels value=', HTMLTextAreaElement: 'select setSelectionRange maxLength',
    HTMLSelectElement: 'options multiple', HTMLOptionElement: 'value selected=', DataTransfer: 'getData setData', Event: 'defaultPrevented',
    Document: 'getElementById', DocumentFragment: 'getElementById',
  })) {
    for (const name of names.split(' ')) {
      const found = Object.getOwnPropertyDescriptor(/** @type {any} */ (globalThis)[type].prototype, name.replace('=', ''));
      const member = name.endsWith('=') ? found?.set : found?.get ?? found?.value;
      if (member) own[`${type}_${name}`] = Function.prototype.call.bind(/** @type {any} */ (member));
    }
  }
  const styleOf = getComputedStyle, MOST = 4_000_000, isMac = /mac|iphone|ipad/i.test(navigator.platform) ? 1 : 0;
  const KIND = Object.freeze({
    NONE: 0, TEXT: 1, EDITABLE: 2, EXACT: 3, PIPE: 4, SELECT: 5, BOX: 6, FILE: 7, LIST: 8, PART: 9, SEVERAL: 10, FRAME: 11,
  });
  const EXACT = new Set('date time datetime-local month week color range'.split(' '));
  const WORDLESS = new Set('button submit reset image hidden'.split(' '));
  const BOXES = new Set('checkbox radio switch menuitemcheckbox menuitemradio'.split(' '));
  const FIELDS = 'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=checkbox], [role=radio], '
    + '[role=switch]';
  const isHtml = (/** @type {any} */ element) => dom.namespaceURI(element) === HTML;
  const isEditable = (/** @type {any} */ element) => isHtml(element) && more.HTMLElement_isContentEditable(element);
  const flagsOf = (/** @type {any} */ element) => look(element, dom.localName(element), inherited(element));
  const isShown = (/** @type {any} */ element) => {
    const flags = flagsOf(element), box = dom.getBoundingClientRect(element);
    return (flags & (FLAGS.VISIBLE | FLAGS.TRANSPARENT | FLAGS.CLIPS)) === FLAGS.VISIBLE && box.width > 1 && box.height > 1;
  };
  const all = (/** @type {any} */ root, /** @type {string} */ selector) =>
    [...(root === document ? dom.Document_querySelectorAll : dom.nodeType(root) === 1 ? dom.querySelectorAll
      : dom.DocumentFragment_querySelectorAll)(root, selector)];
  /** Matches below an element, in shadow trees too. @type {(root: any, selector: string) => any[]} */
  const below = (root, selector) => {
    const inner = dom.nodeType(root) === 1 ? shadowOf(root) : null;
    const found = [...(inner ? below(inner, selector) : []), ...all(root, selector)];
    for (const one of all(root, '*')) { const shadow = shadowOf(one); if (shadow) found.push(...below(shadow, selector)); }
    return found;
  };

  /** Handles stand for elements during one action, without being refs: numbers from 2^31 on, told without that. */
  const handles = { next: 0 }, HANDLE = 0x8000_0000;
  const handle = (/** @type {any} */ element) => {
    kept.held.set(HANDLE + handles.next, new WeakRef(element));
    out.ints.push(handles.next);
    handles.next = (handles.next + 1) % 4096;
  };

  /** The place of a window among the frames of another. @type {(around: any, one: any) => number} */
  const placeOf = (around, one) => {
    for (let place = 0; one && around !== one && place < around.length; place += 1) if (around[place] === one) return place;
    return -1;
  };

  /** A field that nobody sees, through which an editor gets what is typed. */
  const isPipe = (/** @type {any} */ element) => {
    const box = dom.getBoundingClientRect(element);
    return attribute(element, 'spellcheck') === 'false' && attribute(element, 'autocapitalize') === 'off'
      && (box.width <= 4 || box.height <= 4 || !isShown(element)
        || dom.Document_elementFromPoint(document, box.left + box.width / 2, box.top + box.height / 2) !== element);
  };
  /** @type {(element: any) => number} */
  const kindOf = (element) => {
    const tag = dom.localName(element), type = typeOf(element, tag), role = attribute(element, 'role');
    if (tag === 'input' && type === 'file') return KIND.FILE;
    if (BOXES.has(role) || (tag === 'input' && (type === 'checkbox' || type === 'radio'))) return KIND.BOX;
    if (tag === 'input') return EXACT.has(type) ? KIND.EXACT : WORDLESS.has(type) ? KIND.NONE : KIND.TEXT;
    if (tag === 'textarea') return isPipe(element) ? KIND.PIPE : KIND.TEXT;
    if (tag === 'select' || tag === 'iframe') return tag === 'select' ? KIND.SELECT : KIND.FRAME;
    if (isEditable(element)) {
      const around = above(element);
      return around && isEditable(around) && attribute(element, 'contenteditable') === '' ? KIND.PART : KIND.EDITABLE;
    }
    if (isHtml(element) && own.HTMLElement_editContext?.(element)) return KIND.EDITABLE;
    return role === 'combobox' || role === 'listbox' || attribute(element, 'aria-haspopup') === 'listbox' ? KIND.LIST : KIND.NONE;
  };
  /** The field that an element is, labels or contains. @type {(element: any) => {field: any, kind: number}} */
  const fieldOf = (element) => {
    let field = element, kind = kindOf(element);
    const labelled = kind === KIND.NONE && dom.localName(element) === 'label' ? own.HTMLLabelElement_control(element) : null;
    if (labelled) [field, kind] = [labelled, kindOf(labelled)]; if (kind !== KIND.NONE) return { field, kind };
    const inside = below(element, FIELDS).map((one) => ({ field: one, kind: kindOf(one) })).filter((one) => {
      if ([KIND.NONE, KIND.PART, KIND.FILE].includes(one.kind)) return false;
      if (one.kind === KIND.PIPE || attribute(one.field, 'role') === 'combobox') return true;
      return one.kind === KIND.BOX ? (flagsOf(one.field) & FLAGS.RENDERED) !== 0 : isShown(one.field);
    });
    // What a field suggests is no field beside it.
    const fields = inside.some((one) => one.kind !== KIND.LIST) ? inside.filter((one) => one.kind !== KIND.LIST) : inside;
    return fields.length === 1 ? fields[0] : { field, kind: fields.length === 0 ? KIND.NONE : KIND.SEVERAL };
  };

  /** The lines of content that can be edited. @type {(host: any) => string} */
  const linesOf = (host) => {
    let /** @type {string[]} */ lines = [], /** @type {string | null} */ line = null;
    const end = () => { if (line !== null) lines.push(line); line = null; };
    const walk = (/** @type {any} */ node) => {
      const type = dom.nodeType(node);
      if (type === 3) { const data = dom.CharacterData_data(node); if (data !== '') line = (line ?? '') + data; return; }
      if (type !== 1 || (node !== host && attribute(node, 'contenteditable') === 'false')) return;
      if (dom.localName(node) === 'br') { lines.push(line ?? ''); line = null; return; }
      const display = styleOf(node).display, isBlock = !display.startsWith('inline') && display !== 'contents';
      if (display === 'none') return;
      if (isBlock) end();
      for (let child = dom.firstChild(node); child; child = dom.nextSibling(child)) walk(child);
      if (isBlock) end();
    };
    walk(host); end();
    return lines.join('\n').replaceAll(/[\ufeff\u200b]/g, '').replaceAll('\u00a0', ' ');
  };
  const clipped = (/** @type {string} */ kind, /** @type {any} */ data) =>
    new ClipboardEvent(kind, { clipboardData: data, bubbles: true, cancelable: true, composed: true });
  /** @type {(element: any, copy: boolean) => string} */
  const valueOf = (element, copy) => {
    const tag = dom.localName(element);
    if (copy) {
      const data = new DataTransfer();
      own.EventTarget_dispatchEvent(active() ?? element, clipped('copy', data));
      const text = own.DataTransfer_getData(data, 'text/plain'); if (text !== '') return text;
    }
    return tag === 'input' ? dom.HTMLInputElement_value(element)
      : tag === 'textarea' ? dom.HTMLTextAreaElement_value(element) : linesOf(element);
  };
  const tell = (/** @type {any} */ element) => {
    own.EventTarget_dispatchEvent(element, new InputEvent('input', { bubbles: true, composed: true }));
    own.EventTarget_dispatchEvent(element, new Event('change', { bubbles: true }));
  };

  Object.assign(port.ops, {
    field({ ref }) {
      const element = find(ref);
      if (!element) { out.ints.push(0); return; }
      handles.next = 0;
      const { field, kind } = fieldOf(element), tag = dom.localName(field);
      let host = field; while (kind === KIND.PART && isEditable(above(host))) host = above(host);
      const suggests = attribute(field, 'role') === 'combobox'
        || !['', 'none'].includes(attribute(field, 'aria-autocomplete')) || attribute(field, 'aria-haspopup') === 'listbox';
      out.ints.push(1, kind);
      handle(field);
      out.ints.push(tag === 'iframe' ? placeOf(self, dom.HTMLIFrameElement_contentWindow(field))
        : tag === 'input' ? own.HTMLInputElement_maxLength(field)
        : tag === 'textarea' ? own.HTMLTextAreaElement_maxLength(field) : -1);
      out.ints.push(tag === 'input' ? 0 : 1, suggests ? 1 : 0, isMac, isSecret(field, tag) || isTyped(field) ? 1 : 0);
      for (const text of [typeOf(field, tag), attribute(field, 'min'), attribute(field, 'max'), navigator.language, words(host)]) write(text);
    },
    body() {
      const body = dom.Document_body(document);
      handles.next = 0; out.ints.push(placeOf(parent, self), body && isEditable(body) ? 1 : 0); handle(body ?? document);
    },
    take({ ref, all: whole }) {
      const element = find(ref), tag = element ? dom.localName(element) : '';
      const call = tag === 'input' ? 'HTMLInputElement' : tag === 'textarea' ? 'HTMLTextAreaElement' : '';
      if (!element) { out.ints.push(0, 0, 0); return; }
      own.HTMLElement_focus(element, { preventScroll: true });
      const at = active();
      let placed = call !== '' && at === element ? 1 : 0;
      if (placed && whole) own[`${call}_select`](element);
      else if (placed) {
        const end = (tag === 'input' ? dom.HTMLInputElement_value : dom.HTMLTextAreaElement_value)(element).length;
        // Fields for numbers and addresses have no places to select.
        try { own[`${call}_setSelectionRange`](element, end, end); } catch { own[`${call}_select`](element); placed = 2; }
      }
      out.ints.push(1, at && (at === element || dom.contains(element, at)) ? 1 : 0, placed);
    },
    held({ ref, copy, expect }) {
      const element = find(ref);
      if (!element) { out.ints.push(0); return; }
      const value = valueOf(element, copy), isHush = isSecret(element, dom.localName(element)) || isTyped(element);
      const plain = (/** @type {string} */ text) => text.replaceAll(/\r\n?/g, '\n').replaceAll('\u00a0', ' ').replace(/\n$/, '');
      out.ints.push(1, isHush ? 1 : 0, expect === null ? -1 : value === expect || plain(value) === plain(expect) ? 1 : 0, value.length);
      write(isHush ? null : value, MOST);
    },
    put({ ref, value }) {
      const element = find(ref);
      out.ints.push(element ? 1 : 0); if (!element) return;
      own.HTMLElement_focus(element, { preventScroll: true }); own['HTMLInputElement_value='](element, value);
      tell(element);
    },
    paste({ text }) {
      const data = new DataTransfer(), at = active();
      own.DataTransfer_setData(data, 'text/plain', text);
      const event = clipped('paste', data);
      if (at) own.EventTarget_dispatchEvent(at, event);
      out.ints.push(own.Event_defaultPrevented(event) ? 1 : 0);
    },
  });
  port.kit.more.fill = Object.freeze({ own, KIND, FIELDS, kindOf, flagsOf, isShown, all, below, tell, handle, handles });
})();
