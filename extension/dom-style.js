// @ts-check
/**
 * What style sheets make of elements, for captures. To ask the browser for a computed style costs more than all the rest of
 * an element. On a large page elements that nothing tells apart to a style sheet but their place among siblings are
 * therefore taken to look the same: the same tag and attributes, inside of elements that are the same. Of each such sort the
 * first four are looked at, then every one whose number is a power of two; a sort in which two differ is looked at always.
 * Where and whether an element is shown is never taken from another one.
 */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (port.kit.more.begin) return;
  const { FLAGS, dom, kept, more, page, seen } = port.kit, styleOf = getComputedStyle, CLEAR = 'rgba(0, 0, 0, 0)';
  const { POINTER, PINNED, POSITIONED, UPPERCASE, LOWERCASE, CAPITALIZE, BLOCK } = FLAGS;
  /** So many elements are looked at in any case. */
  const EXACT = 1_000;
  const CASES = new Map([['uppercase', UPPERCASE], ['lowercase', LOWERCASE], ['capitalize', CAPITALIZE]]);
  /** Attributes whose values no style sheet goes by. */
  const UNSTYLED = new Set(`href src srcset alt title value for name content label placeholder datetime action d points aria-label
    aria-labelledby aria-describedby aria-controls aria-owns aria-posinset aria-setsize aria-rowindex aria-colindex
    aria-valuenow`.split(/\s+/));

  // Colours behind the elements of the capture that runs, by index, and the index of each element's parent.
  let /** @type {string[]} */ grounds = [], /** @type {number[]} */ parents = [], canvas = '', count = 0, /** @type {Map<string, any>} */ looks = new Map();
  const isClear = (/** @type {string} */ colour) => colour === CLEAR || /^rgba.*, 0\)$|\/ 0\)$/.test(colour);
  /** Whether text in an element has the colour of what is behind it, or is too small to be read. Style is the element's. */
  const blends = (/** @type {number} */ index) => {
    const { style, left, top, width, height } = seen, { latest } = kept;
    const isBox = style.display !== 'inline', element = latest[index];
    if ((isBox && style.contentVisibility === 'hidden') || (dom.localName(element) === 'details' && !dom.hasAttribute(element, 'open'))) return true;
    if ((height < 8 || isBox) && parseFloat(style.fontSize) < 2 || isBox && parseFloat(style.textIndent) < -999) return true;
    const colour = style.color;
    if (isClear(colour)) return !/text/.test(style.backgroundClip + styleOf(latest[parents[index]] ?? latest[0]).backgroundClip);
    const chain = [];
    let at = index;
    for (; at >= 0 && grounds[at] === undefined; at = parents[at]) chain.push(at);
    let ground = at < 0 ? canvas : grounds[at];
    for (let i = chain.length - 1; i >= 0; i--) {
      const own = chain[i] === index ? style.backgroundColor : styleOf(latest[chain[i]]).backgroundColor;
      grounds[chain[i]] = ground = isClear(own) ? ground : own;
    }
    if (ground !== colour || style.textShadow !== 'none') return false;
    // Something else may lie between: an image, or what is placed on its own.
    for (let box = index; box >= 0; box = parents[box]) {
      const its = styleOf(latest[box]);
      if (its.backgroundImage !== 'none' || /text/.test(its.backgroundClip)) return false;
      if (!isClear(its.backgroundColor)) break;
      if (/absolute|fixed|sticky/.test(its.position)) return false;
    }
    const behind = dom.Document_elementsFromPoint(document, left - page.x + width / 2, top - page.y + height / 2);
    const mine = behind.indexOf(latest[index]), under = mine < 0 ? undefined : behind[mine + 1];
    return under === undefined || dom.contains(under, latest[index]);
  };


  more.begin = (/** @type {number[]} */ all) => {
    [grounds, parents, looks, count] = [[], all, new Map(), 0];
    const { root } = page;
    canvas = parent === self && root && !styleOf(root).colorScheme.includes('dark') ? 'rgb(255, 255, 255)' : '';
  };
  /** The sort an element is of, by that of its parent. */
  more.lookOf = (/** @type {number} */ up, /** @type {string} */ tag, /** @type {string[]} */ names, /** @type {Element} */ element) => {
    let name = `${up} ${tag}`;
    for (const attribute of names) {
      name += `\n${attribute}`;
      if (UNSTYLED.has(attribute)) continue;
      const value = dom.getAttribute(element, attribute);
      if (attribute === 'id') name += value.replaceAll(/[0-9]+/g, '0');
      else if (attribute === 'style') name += /font|indent/.test(value) ? value : value.replaceAll(/[0-9.]+(px|%|r?em|v[hw])/g, '0');
      else if (!attribute.startsWith('data-') || /^[a-z-]{0,16}$/i.test(value)) name += `=${value}`;
    }
    let look = looks.get(name);
    if (!look) {
      look = { sort: looks.size + 1, worn: 0, isSteady: true, isKnown: false, display: '', isCut: false, isVeiled: false, bits: 0, text: 0, layer: 'auto',
        scrolls: false, blends: /** @type {boolean | null} */ (null), before: /** @type {string | null} */ (null), after: '' };
      looks.set(name, look);
    }
    count++;
    look.isKnown = count > EXACT && look.isSteady && look.worn >= 4 && (look.worn & (look.worn + 1)) !== 0;
    return look;
  };
  /** Fills in what a look lacks, or anew: of the text as well if the element at `index` has any, of names if asked for. */
  more.wear = (/** @type {Element} */ element, /** @type {any} */ look, /** @type {number} */ state, /** @type {number} */ index, /** @type {boolean} */ named) => {
    const isFirst = look.worn++ === 0;
    if (!look.isKnown) {
      const { style } = seen, before = isFirst ? '' : told(look);
      const position = state & BLOCK ? style.position : 'static';
      look.display = style.display; look.isCut = style.clipPath !== 'none'; look.isVeiled = style.filter !== 'none';
      look.bits = (style.cursor === 'pointer' ? POINTER : 0) | (position === 'static' ? 0 : POSITIONED)
        | (position === 'fixed' || position === 'sticky' ? PINNED : 0);
      look.layer = position === 'static' ? 'auto' : style.zIndex;
      look.scrolls = (state & BLOCK) > 0 && /auto|scroll/.test(style.overflowY);
      const wasBlending = look.blends, had = [look.before, look.after];
      if (index >= 0) { look.text = CASES.get(style.textTransform) ?? 0; look.blends = blends(index); }
      if (named) { look.before = pseudo(element, '::before'); look.after = pseudo(element, '::after'); }
      const differs = (before !== '' && before !== told(look)) || (index >= 0 && wasBlending !== null && wasBlending !== look.blends)
        || (named && had[0] !== null && (had[0] !== look.before || had[1] !== look.after));
      if (differs) look.isSteady = false;
      return;
    }
    if (index >= 0 && look.blends === null) {
      seen.style ??= styleOf(element);
      look.text = CASES.get(seen.style.textTransform) ?? 0; look.blends = blends(index);
    }
    if (named && look.before === null) { look.before = pseudo(element, '::before'); look.after = pseudo(element, '::after'); }
  };
  const told = (/** @type {any} */ look) => `${look.display} ${look.isCut} ${look.isVeiled} ${look.bits} ${look.layer} ${look.scrolls} ${look.text}`;

  /** Generated content before or after what is in an element, as CSS writes it. */
  const pseudo = (/** @type {Element} */ element, /** @type {string} */ side) => {
    const { content, display } = styleOf(element, side);
    // A box of its own stands apart from what is beside it.
    return content === 'none' || content === 'normal' || display === 'none' ? '' : display === 'inline' ? content : `\u0001${content}`;
  };
})();
