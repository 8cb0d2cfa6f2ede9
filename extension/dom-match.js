// @ts-check
/** What the browser itself makes of elements: matches of selectors with their texts, for recipes, and markup. Operations of the port. */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (port.ops.match) return;
  const { FLAGS, HTML, dom, kept, more, out, seen, write, isSelector, isSecret, isTyped, select } = port.kit, { look, inherited, blends, isUnsaid } = more;
  const { RENDERED, VISIBLE, TRANSPARENT, CLIPS, OFF_PAGE, CONTENTS } = FLAGS, styleOf = getComputedStyle, OF_MATCH = (1 << 10) - 1;
  const SEEN = RENDERED | VISIBLE, WHOLE = SEEN | TRANSPARENT | CLIPS | OFF_PAGE;

  // Elements that were looked at, or whose own text was asked for, in the operation that runs.
  const /** @type {Map<any, boolean>} */ shown = new Map(), /** @type {Map<any, number[]>} */ looked = new Map();
  /** Whether a person can read an element's own text. @type {(element: Element) => boolean} */
  const shows = (element) => {
    let answer = shown.get(element);
    if (answer === undefined) {
      answer = isShown(element, look(element, dom.localName(element), inherited(element)));
      shown.set(element, answer);
    }
    return answer;
  };
  /** The same of the element that was looked at last. @type {(element: Element, state: number) => boolean} */
  const isShown = (element, state) => (state & WHOLE) === SEEN && ((state & CONTENTS) > 0 || dom.namespaceURI(element) !== HTML || !blends(element));
  /** Text as a style sheet has it. @type {(text: string, style: any) => string} */
  const styled = (text, { whiteSpace, textTransform }) => {
    const said = /pre|break/.test(whiteSpace) ? text : text.replaceAll(/\s+/g, ' ');
    return textTransform === 'uppercase' ? said.toUpperCase() : textTransform === 'lowercase' ? said.toLowerCase()
      : textTransform === 'capitalize' ? said.replaceAll(/(?<![\p{L}\p{N}'’])\p{L}/gu, (first) => first.toUpperCase()) : said;
  };
  /** Text without the values of fields; `lines`: only what is rendered. @type {(element: Element, lines: boolean) => string} */
  const gather = (element, lines) => {
    const walker = dom.Document_createTreeWalker(document, element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION | NodeFilter.SHOW_ELEMENT);
    let text = '', /** @type {any} */ last = null;
    for (let node = dom.TreeWalker_nextNode(walker); node; node = dom.TreeWalker_nextNode(walker)) {
      let box = dom.parentNode(node), tag = dom.localName(box);
      if (dom.nodeType(node) === 1) {
        if (lines && last && dom.localName(node) === 'br' && shows(box)) text += '\n';
        continue;
      }
      if (isTyped(box) || tag === 'textarea') continue;
      if (!lines) { text += dom.CharacterData_data(node); continue; }
      if (isUnsaid(box, tag) || !shows(box)) continue;
      let said = styled(dom.CharacterData_data(node), styleOf(box));
      while (box !== element && /^(inline|contents)/.test(styleOf(box).display)) box = dom.parentNode(box);
      if (box !== last && said.trim() === '') continue;
      if (last && box !== last) text += /^table-cell/.test(styleOf(box).display) ? '\t' : '\n';
      if (said.startsWith(' ') && /(^|\s)$/.test(text)) said = said.slice(1);
      text += said;
      last = box;
    }
    return text;
  };
  /** Whether the browser tells text in it that nobody can read. @type {(element: Element) => boolean} */
  const isPartHidden = (element) => {
    const first = dom.firstChild(element);
    if (first !== null && dom.nodeType(first) === 3 && dom.nextSibling(first) === null && shows(element)) return false;
    const walker = dom.Document_createTreeWalker(document, element, NodeFilter.SHOW_TEXT);
    for (let node = dom.TreeWalker_nextNode(walker); node; node = dom.TreeWalker_nextNode(walker)) {
      const box = dom.parentNode(node);
      if (/\S/.test(dom.CharacterData_data(node)) && !shows(box) && dom.checkVisibility(box, { visibilityProperty: true })) return true;
    }
    return false;
  };
  /** Whether part of it is not laid out, far from the screen: innerText leaves that out. @type {(element: Element, shown: string) => boolean} */
  const isUnlaid = (element, shown) => {
    const solid = (/** @type {string} */ text) => text.replaceAll(/\s+/g, '').length;
    const whole = dom.textContent(element);
    return shown !== whole && solid(shown) < solid(whole) && (!dom.checkVisibility(element, { contentVisibilityAuto: true })
      || [element, ...dom.querySelectorAll(element, '*')].some((one) => styleOf(one).contentVisibility === 'auto'));
  };
  /** @type {(element: Element, what: any) => string | null} */
  const read = (element, what) => {
    if (what.attribute) return dom.getAttribute(element, what.attribute);
    const html = dom.namespaceURI(element) === HTML, tag = dom.localName(element);
    if (tag === 'textarea') return what === 'resolvedHref' ? null : '';
    const first = dom.firstChild(element), isLeaf = first === null || (dom.nodeType(first) === 3 && dom.nextSibling(first) === null);
    if (what !== 'resolvedHref' && (isTyped(element) || (!isLeaf && [...dom.querySelectorAll(element, '[contenteditable]')].some(isTyped)))) {
      return gather(element, what === 'innerText');
    }
    const told = what === 'innerText' && html ? dom.HTMLElement_innerText(element) : null;
    if (told !== null) return isPartHidden(element) || isUnlaid(element, told) ? gather(element, true) : told;
    if (what !== 'resolvedHref') {
      return dom.querySelectorAll(element, 'textarea').length > 0 ? gather(element, false) : dom.textContent(element);
    }
    const href = dom.getAttribute(element, 'href');
    return href === null ? null : html && tag === 'a' ? dom.HTMLAnchorElement_href(element)
      : html && tag === 'area' ? dom.HTMLAreaElement_href(element) : URL.parse(href, dom.baseURI(element))?.href ?? href;
  };
  const match = (/** @type {{selector: string | null, within: number | null, reads: any[], most: number, enough?: any, inside?: any}[]} */ sets) => {
    const found = /** @type {any[][]} */ ([]);
    for (const { selector, within, reads, most, enough, inside } of sets) {
      let taken = 0, left = enough?.most ?? Infinity; const at = out.ints.push(0, 0) - 2, mine = found[found.push([]) - 1];
      if (selector !== null && !isSelector(selector)) { out.ints[at] = -1; continue; }
      (within === null ? [[document, 0]] : found[within]).forEach(([place, bits], index) => {
        if (inside && ((bits & inside.with) !== inside.with || bits & inside.without || taken++ >= inside.most)) return;
        const all = selector === null ? [place] : select(place, selector);
        out.ints[at] += all.length;
        for (let i = 0; i < all.length && i < most && left > 0; i++) {
          // Several fields may be of one element.
          const before = looked.get(all[i]), state = before?.[0] ?? look(all[i], dom.localName(all[i]), inherited(all[i])), told = state & OF_MATCH;
          const [, width, height] = before ?? [state, seen.width, seen.height];
          out.ints.push(within === null ? -1 : index, told, width, height);
          if (enough && (told & enough.with) === enough.with && !(told & enough.without)) left--;
          if (!before && reads.includes('innerText') && dom.nodeType(dom.firstChild(all[i]) ?? document) === 3) shown.set(all[i], isShown(all[i], state));
          if (!before && within !== null) looked.set(all[i], [state, width, height]);
          for (const what of reads) write(read(all[i], what));
          mine.push([all[i], told]);
        }
      });
      out.ints[at + 1] = mine.length;
    }
  };
  /** Markup of an element without what is typed into secret fields. A clone in a document without a window wakes nothing. */
  port.ops.markup = (/** @type {{capture: number, at: number}} */ { capture, at }) => {
    const element = capture === kept.capture ? kept.latest[at] : undefined, fields = 'input, textarea, select, option, [contenteditable]';
    if (!element || !dom.isConnected(element)) { out.ints.push(0, 0, -1); return; }
    const inside = (/** @type {any} */ one) => [...(dom.matches(one, fields) ? [one] : []), ...dom.querySelectorAll(one, fields)];
    const secret = inside(element).map((one) => isSecret(one, dom.localName(one)) || isTyped(one));
    const empty = dom.DOMImplementation_createHTMLDocument(dom.Document_implementation(document), '');
    const copy = secret.includes(true) || isTyped(element) ? dom.Document_importNode(empty, element, true) : element;
    let taken = 0;
    if (copy !== element) inside(copy).forEach((one, index) => {
      if (!secret[index]) return;
      const option = dom.localName(one) === 'option', name = option ? 'selected' : 'value';
      if (dom.hasAttribute(one, name)) { dom.removeAttribute(one, name); taken++; }
      if ((dom.localName(one) === 'textarea' || dom.hasAttribute(one, 'contenteditable')) && dom.textContent(one) !== '') { dom.replaceChildren(one); taken++; }
    });
    if (isTyped(element) && dom.textContent(copy) !== '') { dom.replaceChildren(copy); taken++; }
    out.ints.push(1, taken); write(dom.outerHTML(copy), Infinity);
  };
  port.ops.match = (/** @type {any} */ op) => { for (const one of [shown, looked]) one.clear(); match(op.sets); for (const one of [shown, looked]) one.clear(); /** @type {any} */ (globalThis).drawbridgeWatch?.begin(); };
})();
