// @ts-check
/**
 * What style sheets make of elements, for captures. To ask the browser for a computed style costs more than all the rest of
 * an element. On a large page elements that nothing tells apart to a style sheet but their place among siblings are
 * therefore taken to look the same: the same tag and attributes, inside of elements that are the same. Of each such sort the
 * first four are looked at, then every one whose number is a power of two; a sort in which two differ is looked at always.
 * The same holds on a small page whose style sheets have no selector that tells two of a sort apart.
 * Where an element lies, and whether the browser renders it, is never taken from another one.
 */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (port.kit.more.begin) return;
  const { FLAGS, dom, more, seen } = port.kit, { blends, traits } = more, styleOf = getComputedStyle;
  const { POINTER, PINNED, POSITIONED, UPPERCASE, LOWERCASE, CAPITALIZE, BLOCK } = FLAGS;
  /** So many elements are looked at in any case. */
  const EXACT = 1_000;
  const CASES = new Map([['uppercase', UPPERCASE], ['lowercase', LOWERCASE], ['capitalize', CAPITALIZE]]);
  /** Attributes whose values no style sheet goes by. */
  const UNSTYLED = new Set(`href src srcset alt title value for name content label placeholder datetime action d points aria-label
    aria-labelledby aria-describedby aria-controls aria-owns aria-posinset aria-setsize aria-rowindex aria-colindex
    aria-valuenow`.split(/\s+/));

  /** Properties whose numbers tell whether text can be read. */
  const UNEVEN = /font|indent|opacity|color|background|shadow|clip|zoom/;
  /** Rules of style sheets that are gone through, and selectors that go by tags, classes, ids without numbers and by what is around. */
  const MAX_RULES = 500, COMMON = /^([\w\s.,>*-]|#[a-z_-]+(?![\w-])|::?(before|after)(?![\w-])|:(root|link|any-link)(?![\w-]))*$/i;
  const GROUPS = [CSSStyleRule, CSSMediaRule, CSSSupportsRule, CSSLayerBlockRule], PLAIN = [CSSFontFaceRule, CSSKeyframesRule, CSSPageRule, CSSPropertyRule];
  /** Whether no style sheet of the document tells elements of one sort apart, nor an animation; what cannot be read might. */
  const isUniform = () => {
    let left = MAX_RULES;
    const isCommon = (/** @type {any} */ rules) => (left -= rules.length) >= 0 && Array.from(rules).every((rule) => PLAIN.some((kind) => rule instanceof kind)
      || (GROUPS.some((kind) => rule instanceof kind) && COMMON.test(rule.selectorText ?? '') && isCommon(rule.cssRules)));
    try {
      return [...dom.Document_styleSheets(document), ...dom.Document_adoptedStyleSheets(document)].every((sheet) => isCommon(sheet.cssRules))
        && dom.Document_getAnimations(document).length === 0;
    } catch {
      // The sheet of another site is nobody's to read.
      return false;
    }
  };
  let count = 0, uniform = false, /** @type {Map<string, any>} */ looks = new Map();

  more.begin = () => { [looks, count, uniform] = [new Map(), 0, isUniform()]; };
  more.leave = () => { looks = new Map(); };
  /** There are trees with style sheets of their own. */
  more.doubt = () => { uniform = false; };
  /** The sort an element is of, by that of its parent. */
  more.lookOf = (/** @type {number} */ up, /** @type {string} */ tag, /** @type {string[]} */ names, /** @type {Element} */ element) => {
    let name = `${up} ${tag}`;
    for (const attribute of names) {
      name += `\n${attribute}`;
      if (UNSTYLED.has(attribute)) continue;
      const value = dom.getAttribute(element, attribute);
      if (attribute === 'id') name += value.replaceAll(/[0-9]+/g, '0');
      else if (attribute === 'style') name += UNEVEN.test(value) ? value : value.replaceAll(/[0-9.]+(px|%|r?em|v[hw])/g, '0');
      else if (!attribute.startsWith('data-') || /^[a-z-]{0,16}$/i.test(value)) name += `=${value}`;
    }
    let look = looks.get(name);
    if (!look) {
      look = { sort: looks.size + 1, worn: 0, isSteady: true, isClose: false, isKnown: false, bits: 0, text: 0, layer: 'auto', scrolls: false,
        blends: /** @type {boolean | null} */ (null), before: /** @type {string | null} */ (null), after: '' };
      looks.set(name, look);
    }
    count++;
    look.isKnown = ((uniform && !look.isClose) || count > EXACT) && look.isSteady && look.worn >= 4 && (look.worn & (look.worn + 1)) !== 0;
    return look;
  };
  /** Fills in what a look lacks, or anew: of the text as well if the element has any, of names if asked for. */
  more.wear = (/** @type {Element} */ element, /** @type {any} */ look, /** @type {number} */ state, /** @type {boolean} */ isText, /** @type {boolean} */ named) => {
    const isFirst = look.worn++ === 0;
    if (!look.isKnown) {
      const { style } = seen, before = isFirst ? '' : told(look);
      const position = state & BLOCK ? style.position : 'static';
      Object.assign(look, traits(style));
      look.bits = (style.cursor === 'pointer' ? POINTER : 0) | (position === 'static' ? 0 : POSITIONED)
        | (position === 'fixed' || position === 'sticky' ? PINNED : 0);
      look.layer = position === 'static' ? 'auto' : style.zIndex;
      look.scrolls = (state & BLOCK) > 0 && /auto|scroll/.test(style.overflowY);
      const wasBlending = look.blends, had = [look.before, look.after];
      if (isText) ink(element, look);
      if (named) { look.before = pseudo(element, '::before'); look.after = pseudo(element, '::after'); }
      const differs = (before !== '' && before !== told(look)) || (isText && wasBlending !== null && wasBlending !== look.blends)
        || (named && had[0] !== null && (had[0] !== look.before || had[1] !== look.after));
      if (differs) look.isSteady = false;
      return;
    }
    if (isText && look.blends === null) ink(element, look);
    if (named && look.before === null) { look.before = pseudo(element, '::before'); look.after = pseudo(element, '::after'); }
  };
  /** How the text of an element is written, and whether it can be read. */
  const ink = (/** @type {Element} */ element, /** @type {any} */ look) => {
    seen.style ??= styleOf(element); seen.close = false;
    look.text = CASES.get(seen.style.textTransform) ?? 0; look.blends = blends(element);
    // What lies behind it counts, and that is no matter of style.
    look.isClose ||= seen.close;
  };
  const told = (/** @type {any} */ look) => `${look.display} ${look.position} ${look.isCut} ${look.isVeiled} ${look.isTurned} ${look.hems} ${look.bits} ${look.layer} ${look.scrolls} ${look.text}`;

  /** Generated content before or after what is in an element, as CSS writes it. */
  const pseudo = (/** @type {Element} */ element, /** @type {string} */ side) => {
    const { content, display } = styleOf(element, side);
    // A box of its own stands apart from what is beside it.
    return content === 'none' || content === 'normal' || display === 'none' ? '' : display === 'inline' ? content : `\u0001${content}`;
  };
})();
