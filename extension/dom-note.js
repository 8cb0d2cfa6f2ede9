// @ts-check
/**
 * The noting part of the DOM port: what a document gets while something is done in it, what changes meanwhile, and when a
 * person uses it. It is put there with dom-act.js, and decides nothing. protocol/src/reader/acting.rs has the columns.
 */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (!port || Object.hasOwn(port.kit.more, 'note')) return;
  const { dom, kept, out, write, isSecret, isTyped } = port.kit, { above } = port.kit.more, { find, words, active, front, factsOf, attribute, formOf, isSubmit, more, FACTS, FRAMES } = port.kit.more.act;
  const styleOf = getComputedStyle;

  // What a person does here, and what is expected of us meanwhile.
  const MINDED = ['mousedown', 'keydown', 'wheel', 'touchstart', 'paste', 'drop'];
  const person = { at: -1, count: 0, minding: false };
  const noted = { on: /** @type {any} */ (null), events: /** @type {string[]} */ ([]), left: /** @type {Map<string, number>} */ (new Map()),
    seen: /** @type {any[]} */ ([]), nodes: 0, listening: /** @type {any[]} */ ([]), active: false };
  const observer = new MutationObserver((records) => { noted.nodes += records.length; });
  const mind = () => {
    if (person.minding) return;
    person.minding = true;
    MINDED.forEach((kind) => dom.EventTarget_addEventListener(window, kind, (/** @type {any} */ event) => {
      if (!event.isTrusted) return;
      const due = noted.active ? noted.left.get(kind) ?? 0 : 0;
      if (due > 0) { noted.left.set(kind, due - 1); return; }
      [person.at, person.count] = [performance.now(), person.count + 1];
    }, { capture: true, passive: true }));
  };
  const sincePerson = () => person.at < 0 ? -1 : Math.min(1e9, Math.round(performance.now() - person.at));
  const note = (/** @type {any} */ event, /** @type {boolean} */ isOn) => {
    if (!event.isTrusted) return;
    let one = noted.seen.find((entry) => entry.event === event);
    if (!one && noted.seen.length < 500) noted.seen.push(one = { event, kind: more.Event_type(event), on: false });
    if (one && (isOn || (noted.on && more.Event_composedPath(event).includes(noted.on)))) one.on = true;
  };
  const onWindow = (/** @type {any} */ event) => note(event, false), onTarget = (/** @type {any} */ event) => note(event, true);
  const forget = () => {
    observer.disconnect();
    noted.listening.forEach(([on, kind, listener]) => dom.EventTarget_removeEventListener(on, kind, listener, true));
    Object.assign(noted, { on: null, events: [], left: new Map(), seen: [], nodes: 0, listening: [], active: false });
  };
  const valueOf = (/** @type {any} */ element, /** @type {string} */ tag) => {
    const has = tag === 'input' ? !['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image', 'hidden'].includes(more.HTMLInputElement_type(element)) : tag === 'textarea';
    const edited = !has && dom.namespaceURI(element) === port.kit.HTML && more.HTMLElement_isContentEditable(element);
    if (!has && !edited) return null;
    const value = edited ? dom.HTMLElement_innerText(element) : tag === 'input' ? dom.HTMLInputElement_value(element) : dom.HTMLTextAreaElement_value(element);
    return isSecret(element, tag) || isTyped(element) ? (value === '' ? '' : 'filled') : value;
  };
  const writeState = (/** @type {any} */ element) => {
    const there = element && dom.isConnected(element), tag = there ? dom.localName(element) : '', at = active();
    const facts = there ? factsOf(element) : 0;
    let scroller = there ? element : null;
    while (scroller && !((dom.scrollHeight(scroller) > dom.clientHeight(scroller) || dom.scrollWidth(scroller) > dom.clientWidth(scroller))
      && /auto|scroll|hidden/.test(styleOf(scroller).overflow))) scroller = above(scroller);
    scroller ??= dom.Document_scrollingElement(document);
    const opens = there ? (tag === 'details' ? String(more.HTMLDetailsElement_open(element)) : attribute(element, 'aria-expanded')) : '';
    out.ints.push(there ? 1 : 0, facts & FACTS.CHECKABLE ? (facts & FACTS.MIXED ? 2 : facts & FACTS.CHECKED ? 1 : 0) : there ? ['false', 'true', 'mixed'].indexOf(attribute(element, 'aria-pressed')) : -1,
      ['false', 'true'].indexOf(opens), scroller ? Math.round(dom.scrollLeft(scroller)) : 0, scroller ? Math.round(dom.scrollTop(scroller)) : 0, there && at === element ? 1 : 0);
    write(there ? valueOf(element, tag) : null);
    write(tag === 'select' && !isSecret(element, tag) ? [...dom.HTMLSelectElement_selectedOptions(element)].map((one) => dom.HTMLOptionElement_label(one).replaceAll('\u0001', ' ')).join('\u0001') : null);
    // It may repeat what was typed.
    write(there && (isSecret(element, tag) || isTyped(element)) ? '' : tag === 'input' ? dom.HTMLInputElement_validationMessage(element) : tag === 'textarea' ? dom.HTMLTextAreaElement_validationMessage(element)
      : tag === 'select' ? dom.HTMLSelectElement_validationMessage(element) : '');
    write(words(at));
  };

  Object.assign(port.ops, {
    expect({ ref, events }) {
      forget();
      const element = ref > 0 ? find(ref) : active();
      Object.assign(noted, { on: element, events, active: true });
      for (const kind of new Set(events)) {
        noted.left.set(kind, events.filter((/** @type {string} */ one) => one === kind).length);
        [[window, onWindow], ...(element ? [[element, onTarget]] : [])].forEach(([on, listener]) => {
          dom.EventTarget_addEventListener(on, kind, listener, true);
          noted.listening.push([on, kind, listener]);
        });
      }
      person.count = 0;
      const root = element ? dom.getRootNode(element) : document;
      [document, ...(root === document ? [] : [root])].forEach((one) => observer.observe(one, { childList: true, subtree: true, attributes: true, characterData: true }));
      writeState(element);
    },
    collect({ end }) {
      noted.nodes += observer.takeRecords().length;
      writeState(noted.on);
      out.ints.push(person.count, Math.min(noted.nodes, 1e6), navigator.userActivation.isActive ? 1 : 0, noted.seen.length);
      for (const one of noted.seen) out.ints.push(noted.events.indexOf(one.kind), one.on ? 1 : 0, more.Event_defaultPrevented(one.event) ? 1 : 0);
      if (end) forget();
    },
    keyboard() {
      const at = active(), tag = at ? dom.localName(at) : '', here = more.Document_hasFocus(document) && !FRAMES.has(tag);
      out.ints.push(here ? 1 : 0, at ? factsOf(at) : 0, at ? kept.refs.get(at) ?? 0 : 0, sincePerson(), noted.active && noted.on === at ? 1 : 0);
      write(tag); write(words(at));
    },
    mind() {
      // The empty document that a frame begins with is still there: its own is on its way.
      const coming = [...dom.Document_querySelectorAll(document, 'iframe[src]')].filter((frame) => {
        const inner = more.HTMLIFrameElement_contentDocument(frame);
        return inner !== null && more.Document_URL(inner) === 'about:blank' && /^https?:/.test(more.HTMLIFrameElement_src(frame));
      });
      out.ints.push(sincePerson(), coming.length + (dom.Document_readyState(document) === 'complete' ? 0 : 1));
    },
    under({ x, y }) {
      const at = front(x / 100, y / 100);
      out.ints.push(at ? 1 : 0, at ? factsOf(at) : 0, sincePerson());
      write(words(at));
      out.ints.push(innerWidth, innerHeight);
    },
    submit({ ref }) {
      const element = find(ref), form = element && (dom.localName(element) === 'form' ? element : formOf(element, dom.localName(element)));
      if (!form) { out.ints.push(element ? 0 : -1); return; }
      out.ints.push(1);
      more.HTMLFormElement_requestSubmit(form, isSubmit(element) ? element : null);
    },
  });
  mind();
  port.kit.more.note = Object.freeze({ sincePerson });
})();
