// @ts-check
/**
 * The part of the DOM port for boxes and lists: what can be pressed instead of a field that nobody sees, and which options
 * there are. It is put there after dom-fill.js, and decides nothing. protocol/src/reader/filling.rs has the columns.
 */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (!port || Object.hasOwn(port.kit.more, 'list')) return;
  const { dom, out, write, FLAGS } = port.kit, { above } = port.kit.more, { find, attribute } = port.kit.more.act;
  const { own, KIND, FIELDS, kindOf, flagsOf, isShown, all, below, tell, handle, handles } = port.kit.more.fill;
  const styleOf = getComputedStyle;
  const fold = (/** @type {string} */ text) => text.replaceAll(/[\ufeff\u200b]/g, '').replaceAll(/\s+/g, ' ').trim();
  const labelsOf = (/** @type {any} */ element) =>
    dom.localName(element) === 'input' ? [...own.HTMLInputElement_labels(element) ?? []] : [];
  /** Boxes around an element that hold no other field, nearest first. @type {(element: any) => any[]} */
  const alone = (element) => {
    const found = [];
    for (let box = above(element); box && found.length < 5 && box !== port.kit.page.body; box = above(box)) {
      const isOther = (/** @type {any} */ one) => one !== element && kindOf(one) !== KIND.NONE && (flagsOf(one) & FLAGS.RENDERED)
        && !dom.contains(element, one);
      if (below(box, FIELDS).some(isOther)) break;
      found.push(box);
    }
    return found;
  };
  const isIdle = (/** @type {any} */ element) =>
    !['a', 'button', 'input', 'select', 'textarea'].includes(dom.localName(element))
    && all(element, 'a, button, input, select').length === 0;

  Object.assign(port.ops, {
    options({ ref }) {
      const element = find(ref);
      if (!element) { out.ints.push(0); return; }
      const options = [...own.HTMLSelectElement_options(element)];
      out.ints.push(1, own.HTMLSelectElement_multiple(element) ? 1 : 0, options.length);
      for (const one of options) {
        out.ints.push(dom.HTMLOptionElement_selected(one) ? 1 : 0, dom.matches(one, ':disabled') ? 1 : 0);
        [own.HTMLOptionElement_value(one), fold(dom.HTMLOptionElement_label(one))].forEach((text) => write(text));
      }
    },
    choose({ ref, indexes }) {
      const element = find(ref);
      out.ints.push(element ? 1 : 0); if (!element) return;
      own.HTMLElement_focus(element, { preventScroll: true });
      [...own.HTMLSelectElement_options(element)].forEach((one, at) => {
        const on = indexes.includes(at);
        // The first of several would be taken away by what a select of one choice does by itself.
        if (on || own.HTMLSelectElement_multiple(element)) own['HTMLOptionElement_selected='](one, on);
      });
      tell(element);
    },
    handles({ ref }) {
      const element = find(ref);
      if (!element) { out.ints.push(-1); return; }
      const parent = dom.parentNode(element);
      const beside = parent ? all(parent, ':scope > *').filter((one) => one !== element && isIdle(one)) : [];
      // A label gives a list the keyboard and does not open it.
      const instead = kindOf(element) === KIND.BOX ? [...beside, ...labelsOf(element)] : [];
      const found = [...new Set([element, ...instead, ...alone(element)])].filter((one) => one === element || isShown(one)).slice(0, 20);
      out.ints.push(found.length);
      found.forEach(handle);
    },
    list({ ref }) {
      const element = find(ref);
      if (!element) { out.ints.push(0); return; }
      handles.next = 1024;
      const root = dom.getRootNode(element), role = attribute(element, 'role');
      const byId = (/** @type {string} */ id) => (root === document ? null : own.DocumentFragment_getElementById(root, id))
        ?? own.Document_getElementById(document, id);
      const ids = ['aria-controls', 'aria-owns'].flatMap((name) => attribute(element, name).split(/\s+/));
      const named = ids.filter((id) => id !== '').map(byId);
      const inner = below(element, '[role=listbox]');
      let boxes = role === 'listbox' ? [element] : [...named, ...inner].filter((one) => one);
      const open = below(document, '[role=listbox]').filter(isShown);
      if (boxes.length === 0 && open.length === 1) boxes = open;
      /** Options of a box, or of what is around it where the box itself is only there to be read out. @type {(box: any) => any[]} */
      const shown = (box) => {
        for (let around = box, up = 0; around && up < 4 && around !== port.kit.page.body; around = above(around), up += 1) {
          const options = below(around, '[role=option]').filter(isShown);
          const found = options.length > 0 ? options : below(around, '[aria-selected]').filter(isShown);
          if (found.length > 0 && !dom.contains(around, element)) return found;
          if (found.length > 0 && around === box) return found;
        }
        return [];
      };
      const options = [...new Set(boxes.flatMap(shown))].slice(0, 1000), scroller = options[0] ?? null;
      let box = scroller ? above(scroller) : null, rest = 0;
      for (; box && box !== port.kit.page.root && box !== port.kit.page.body; box = above(box)) {
        const hidden = dom.scrollHeight(box) - dom.clientHeight(box);
        if (hidden <= 1 || !/auto|scroll|hidden/.test(styleOf(box).overflowY)) continue;
        rest = Math.round(hidden - dom.scrollTop(box));
        break;
      }
      out.ints.push(1, ['false', 'true'].indexOf(attribute(element, 'aria-expanded')),
        boxes.some((one) => attribute(one, 'aria-multiselectable') === 'true') ? 1 : 0, rest, options.length);
      for (const one of options) {
        const told = attribute(one, 'aria-selected') || attribute(one, 'aria-checked');
        handle(one);
        out.ints.push(['false', 'true'].indexOf(told), attribute(one, 'aria-disabled') === 'true' || flagsOf(one) & FLAGS.DISABLED ? 1 : 0);
        write(attribute(one, 'data-value') || attribute(one, 'value'));
        write(fold(attribute(one, 'aria-label') || dom.HTMLElement_innerText(one)));
      }
      const texts = [element, ...alone(element)].map((one) =>
        fold(dom.localName(one) === 'input' ? dom.HTMLInputElement_value(one) : dom.HTMLElement_innerText(one)).slice(0, 500));
      out.ints.push(texts.length);
      texts.forEach((text) => write(text));
    },
  });
  port.kit.more.list = true;
})();
