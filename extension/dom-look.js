// @ts-check
/** Whether and where elements are shown: what the browser says of each one, and what is left of it by those around it. */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (port.kit.more.look) return;
  const { FLAGS, HTML, dom, more, page, seen } = port.kit, styleOf = getComputedStyle, SVG = 'http://www.w3.org/2000/svg';
  const { RENDERED, VISIBLE, TRANSPARENT, CONTENTS, CLIPS, OFF_PAGE, BLOCK, DISABLED, IN_SHADOW, EDITABLE, INLINE_BOX } = FLAGS;
  const { GONE, INERT, ANCHORED, BELOW_HOST, NAMING } = FLAGS, PASSED = INERT | BELOW_HOST | EDITABLE | NAMING;
  const CONTROLS = new Set(['button', 'input', 'select', 'textarea', 'optgroup', 'option', 'fieldset']);
  /** Parts of drawings that are shown only where something else uses them. */
  const UNUSED = new Set(['defs', 'symbol', 'clipPath', 'mask', 'marker', 'pattern']);
  /** Elements of which something else is shown than what they hold. */
  const REPLACED = new Set(['canvas', 'video', 'audio', 'progress', 'meter', 'textarea']);
  /** Opacity that nobody can read through, and how little of its area a transformation may leave of a box. */
  const FAINT = 0.05, SQUEEZED = 0.015;
  const BOTH = { visibilityProperty: true, opacityProperty: true };

  /**
   * What is left by the elements around: how much of the light; of the page, by boxes that cut off what overflows, for what is
   * in the flow and for what is placed against the next positioned box; whether the pinned box around lies outside the window.
   * @typedef {{left: number, top: number, right: number, bottom: number}} Bounds
   * @typedef {{dim: number, flow: Bounds, placed: Bounds, strays: boolean}} Rest
   */
  const ALL = Object.freeze({ left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity });
  const NOWHERE = Object.freeze({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });
  // What one operation knows of elements around others.
  const /** @type {Map<any, number>} */ states = new Map(), /** @type {Map<any, Rest>} */ rests = new Map();

  /** The flat-tree parent, as far as it can be seen from below. @type {(element: Element) => Element | null} */
  const above = (element) => {
    const parent = dom.assignedSlot(element) ?? dom.parentNode(element), type = parent === null ? 9 : dom.nodeType(parent);
    return type === 1 ? parent : type === 11 && parent instanceof ShadowRoot ? dom.ShadowRoot_host(parent) : null;
  };

  /** What of a style says where and whether something is shown. To read a property is dear: none is read that means nothing here. */
  const traits = (/** @type {any} */ style) => {
    const { display, position } = style, isBox = display !== 'inline', x = isBox ? style.overflowX : 'visible', y = isBox ? style.overflowY : x;
    return {
      display, position, isCut: isBox && (style.clipPath !== 'none' || (position !== 'static' && style.clip !== 'auto')),
      isVeiled: style.opacity !== '1' || style.filter !== 'none', hems: x === 'visible' && y === x ? '' : `${x} ${y}`,
      isTurned: style.zoom !== '1' || (isBox && (style.scale !== 'none' || style.rotate !== 'none' || style.transform !== 'none')),
    };
  };
  /** How much light an element lets through by itself. */
  const veil = (/** @type {any} */ style) => style.filter.matchAll(/opacity\(([\d.e-]+)(%?)\)/g)
    .reduce((/** @type {number} */ dim, /** @type {string[]} */ [, much, percent]) => dim * parseFloat(much) / (percent ? 100 : 1), parseFloat(style.opacity));
  /** What a length comes to, also of a sum such as `calc(50% - 2px)`. @type {(text: string, whole: number) => number} */
  const lengthOf = (text, whole) => [...text.matchAll(/([+-]?)\s*([\d.][\d.e-]*)(px|%)?/g)]
    .reduce((sum, [, sign, much, unit]) => sum + (sign === '-' ? -1 : 1) * parseFloat(much) * (unit === '%' ? whole / 100 : 1), 0);
  const parts = (/** @type {string} */ text) => text.trim().split(/\s+(?![^(]*\))/);
  /** Whether a polygon through points has no area, or none in a box. @type {(points: number[][], width: number, height: number) => boolean} */
  const isFlat = (points, width, height) => {
    if (points.length === 0) return true;
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)], [[x0, y0]] = points;
    if (Math.max(...xs) <= 0 || Math.min(...xs) >= width || Math.max(...ys) <= 0 || Math.min(...ys) >= height) return true;
    const [x1, y1] = points.reduce((far, one) => Math.hypot(one[0] - x0, one[1] - y0) > Math.hypot(far[0] - x0, far[1] - y0) ? one : far);
    const long = Math.hypot(x1 - x0, y1 - y0);
    return points.every(([x, y]) => Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) <= long / 2);
  };
  /** The points that the lines of a path go through, and those that pull its curves. @type {(path: string) => number[][]} */
  const pointsOf = (path) => {
    const points = [];
    let x = 0, y = 0;
    for (const [, name, list] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
      const kind = name.toUpperCase(), numbers = (list.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number), isOwn = kind === name;
      const step = /** @type {Record<string, number>} */ ({ H: 1, V: 1, C: 6, S: 4, Q: 4, A: 7 })[kind] ?? 2;
      for (let at = 0; kind !== 'Z' && at + step <= numbers.length; at += step) {
        const [from, one] = [[x, y], numbers.slice(at, at + step)];
        if (kind === 'H') x = one[0] + (isOwn ? 0 : x);
        else if (kind === 'V') y = one[0] + (isOwn ? 0 : y);
        else if (kind === 'A') [x, y] = [one[5] + (isOwn ? 0 : x), one[6] + (isOwn ? 0 : y)];
        else for (let i = 0; i < step; i += 2) {
          [x, y] = [one[i] + (isOwn ? 0 : from[0]), one[i + 1] + (isOwn ? 0 : from[1])];
          points.push([x, y]);
        }
        points.push([x, y]);
        if (kind === 'A') for (const end of [from, [x, y]]) points.push([end[0] - one[0], end[1] - one[1]], [end[0] + one[0], end[1] + one[1]]);
      }
    }
    return points;
  };
  /** Whether clipping leaves nothing of a box. @type {(style: any, box: DOMRect) => boolean} */
  const isCutAway = ({ clip, clipPath, position }, { width, height }) => {
    const [, window] = /^rect\((.*)\)$/.exec(clip) ?? [];
    if (window !== undefined && /absolute|fixed/.test(position)) {
      const [up, right, down, left] = window.split(/,\s*|\s+/).map((side, index) => side === 'auto' ? [0, width, height, 0][index] : parseFloat(side));
      if (Math.min(down, height) <= Math.max(up, 0) || Math.min(right, width) <= Math.max(left, 0)) return true;
    }
    const [, shape, list] = /^(inset|circle|ellipse|polygon|path)\((.*)\)/.exec(clipPath) ?? [];
    if (shape === undefined) return false;
    if (shape === 'path') return isFlat(pointsOf(list.replace(/^[^"]*"/, '')), width, height);
    if (shape === 'polygon') {
      const points = list.replace(/^(evenodd|nonzero),\s*/, '').split(/,(?![^(]*\))/).map(parts);
      return isFlat(points.map(([x, y]) => [lengthOf(x, width), lengthOf(y, height)]), width, height);
    }
    const [sizes, middle] = list.split(/\s*\b(?:round|at)\s+/);
    if (shape !== 'inset') {
      const radii = parts(sizes).map((one, index) => /\d/.test(one) ? lengthOf(one, index ? height : width) : Infinity), [across, down = across] = radii;
      const [x, y] = middle === undefined ? [width / 2, height / 2] : parts(middle).map((one, index) => lengthOf(one, index ? height : width));
      return across <= 0 || down <= 0 || x + across <= 0 || x - across >= width || y + down <= 0 || y - down >= height;
    }
    const [up, right = up, down = up, left = right] = parts(sizes);
    return lengthOf(up, height) + lengthOf(down, height) >= height || lengthOf(right, width) + lengthOf(left, width) >= width;
  };

  /** Whether nothing of a box is within bounds. @type {(box: Bounds, bounds: Bounds) => boolean} */
  const isOutside = (box, bounds) => box.left >= bounds.right || box.right <= bounds.left || box.top >= bounds.bottom || box.bottom <= bounds.top;
  /** What is left of bounds inside of a box that hems in what overflows, or scrolls. @type {(bounds: Bounds, box: Bounds, hems: string) => Bounds} */
  const hemmed = (bounds, box, hems) => {
    const [x, y] = hems.split(' '), open = /auto|scroll/;
    if (isOutside(box, bounds)) return NOWHERE;
    return {
      left: x === 'visible' ? bounds.left : open.test(x) ? -Infinity : Math.max(bounds.left, box.left),
      right: x === 'visible' ? bounds.right : open.test(x) ? Infinity : Math.min(bounds.right, box.right),
      top: y === 'visible' ? bounds.top : open.test(y) ? -Infinity : Math.max(bounds.top, box.top),
      bottom: y === 'visible' ? bounds.bottom : open.test(y) ? Infinity : Math.min(bounds.bottom, box.bottom),
    };
  };
  /** Whether next to nothing is left of the room that layout gave a box of so many square pixels. @type {(element: any, area: number) => boolean} */
  const isSqueezed = (element, area) => dom.namespaceURI(element) === HTML && (parseFloat(styleOf(element).zoom) < 0.12
    || area < SQUEEZED * dom.HTMLElement_offsetWidth(element) * dom.HTMLElement_offsetHeight(element));
  /** Whether what is placed inside is placed against this box. */
  const isAnchor = (/** @type {any} */ style) => style.position !== 'static' || style.transform !== 'none' || style.filter !== 'none'
    || style.perspective !== 'none' || /paint|layout|strict|content/.test(style.contain) || /transform|filter|perspective|contain/.test(style.willChange);
  /** Whether a pinned box lies outside of the window, where no scrolling moves it. @type {(element: any, box: Bounds) => boolean} */
  const isAstray = (element, box) => page.width > 0 && page.height > 0 && dom.namespaceURI(element) === HTML && dom.HTMLElement_offsetParent(element) === null
    && isOutside(box, { left: page.x, top: page.y, right: page.x + page.width, bottom: page.y + page.height });

  /**
   * Flags, and what descendants inherit; fills style, box and what is left for those inside, from what is left by those around.
   * `known`: what its style is taken to be; `isInert`: whether it has that attribute, where that was asked before.
   * @type {(element: Element, tag: string, up: number, known?: any, isInert?: boolean) => number}
   */
  const look = (element, tag, up, known, isInert = dom.hasAttribute(element, 'inert')) => {
    let state = up & PASSED; seen.left = seen.top = seen.width = seen.height = 0; seen.style = null;
    if (state & BELOW_HOST && dom.getRootNode(element) !== document) state |= IN_SHADOW;
    if (isInert) state |= INERT;
    if (state & INERT || ((CONTROLS.has(tag) || tag.includes('-')) && dom.matches(element, ':disabled'))) state |= DISABLED;
    if (up & GONE) return state | GONE;
    const plain = dom.checkVisibility(element, BOTH);
    if (!known) seen.style = styleOf(element);
    if (!plain && !dom.checkVisibility(element)) {
      const parent = above(element), style = styleOf(element);
      if (style.display !== 'contents' || (parent && (styleOf(parent).contentVisibility === 'hidden' || REPLACED.has(dom.localName(parent))
        || (tag !== 'summary' && dom.matches(parent, 'details:not([open])'))))) return state | GONE;
      return state | CONTENTS | up & (RENDERED | TRANSPARENT | CLIPS | ANCHORED) | (style.visibility === 'visible' ? VISIBLE : 0);
    }
    const { display, position, isCut, isVeiled, isTurned, hems } = known ?? traits(seen.style), around = /** @type {Rest} */ (seen.rest), { root, body } = page;
    const dim = isVeiled || !plain ? around.dim * veil(seen.style ?? styleOf(element)) : around.dim;
    state |= RENDERED | (up & TRANSPARENT) | (dim <= FAINT ? TRANSPARENT : 0);
    if (plain || dom.checkVisibility(element, { visibilityProperty: true })) state |= VISIBLE;
    if (!plain && !dom.checkVisibility(element, { opacityProperty: true })) state |= TRANSPARENT;
    if (!display.startsWith('inline')) state |= BLOCK; else if (display !== 'inline') state |= INLINE_BOX;
    const rect = dom.getBoundingClientRect(element), left = rect.left + page.x, top = rect.top + page.y, wide = rect.width, high = rect.height;
    const width = Math.round(wide), height = Math.round(high), box = { left, top, right: left + wide, bottom: top + high };
    seen.left = left; seen.top = top; seen.width = width; seen.height = height;
    const hasRoom = wide > 0 && high > 0, isPinned = position === 'fixed';
    const strays = hasRoom && (isPinned ? isAstray(element, box) : around.strays
      && isOutside(box, { left: page.x, top: page.y, right: page.x + page.width, bottom: page.y + page.height }));
    const bounds = isPinned ? ALL : position === 'absolute' ? around.placed : around.flow;
    if (strays || (hasRoom && bounds !== ALL && isOutside(box, bounds))) state |= OFF_PAGE;
    else if (left < page.leftEdge || top < 0) {
      let { right, bottom } = box;
      for (let out = above(element); out && out !== root && out !== body; out = above(out)) {
        [right, bottom] = [right + dom.scrollLeft(out), bottom + dom.scrollTop(out)];
      }
      if ((left < page.leftEdge && right <= page.leftEdge) || (top < 0 && bottom <= 0)) state |= OFF_PAGE;
    }
    if (isCut && isCutAway(styleOf(element), rect)) state |= CLIPS | ANCHORED;
    // A transformation may leave nothing of a box that layout gave room, nor of those inside, wherever they are placed.
    if ((isTurned || up & CLIPS) && isSqueezed(element, wide * high)) state |= CLIPS | ANCHORED;
    if (UNUSED.has(tag) && dom.namespaceURI(element) === SVG) state |= CLIPS | ANCHORED;
    // A clipping box without room takes its content along, but for what is positioned against a box further out.
    const escapes = up & CLIPS && (isPinned || (position === 'absolute' && !(up & ANCHORED)));
    if (!escapes) state |= up & (CLIPS | ANCHORED);
    const isWindow = element === root || element === body;
    if ((width <= 1 || height <= 1) && display !== 'inline' && !isWindow) {
      const style = seen.style ?? styleOf(element);
      if (style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none') {
        state |= position === 'static' ? CLIPS : CLIPS | ANCHORED;
      }
    }
    let { flow, placed } = around;
    if (hems && !isWindow && tag !== 'input') flow = hemmed(bounds, box, hems); else flow = bounds;
    if (flow !== placed && isAnchor(seen.style ?? styleOf(element))) placed = flow;
    if (dim !== around.dim || flow !== around.flow || placed !== around.placed || strays !== around.strays) seen.rest = { dim, flow, placed, strays };
    return state;
  };

  /** What an element inherits; each element around it is looked at once per operation. @type {(element: Element) => number} */
  const inherited = (element) => {
    const chain = [];
    let box = above(element);
    for (; box && !states.has(box); box = above(box)) chain.push(box);
    let state = (box && states.get(box)) ?? RENDERED;
    seen.rest = (box && rests.get(box)) ?? page.rest;
    for (const one of chain.reverse()) {
      states.set(one, state = look(one, dom.localName(one), state)); rests.set(one, seen.rest);
    }
    return state;
  };

  /** Begins an operation: where the page lies, and what of it scrolling reaches. */
  const start = () => {
    states.clear(); rests.clear(); more.forget();
    const root = page.root = dom.Document_documentElement(document), body = page.body = dom.Document_body(document);
    [page.x, page.y, page.leftEdge, page.width, page.height] = [scrollX, scrollY, 0, innerWidth, innerHeight];
    let rightEdge = Infinity;
    if (root) {
      const style = styleOf(root), isRtl = style.direction === 'rtl';
      if (isRtl) page.leftEdge = dom.clientWidth(root) - dom.scrollWidth(root);
      const across = style.overflowX === 'visible' && body ? styleOf(body).overflowX : style.overflowX;
      if (!isRtl && /hidden|clip/.test(across) && dom.clientWidth(root) > 0) rightEdge = page.x + dom.clientWidth(root);
    }
    const bounds = rightEdge === Infinity ? ALL : Object.freeze({ ...ALL, right: rightEdge });
    page.rest = Object.freeze({ dim: 1, flow: bounds, placed: bounds, strays: false });
  };
  /** Forgets the elements of the operation. */
  const end = () => {
    states.clear(); rests.clear();
    [page.root, page.body, page.rest, seen.style, seen.rest] = [null, null, null, null, null];
  };
  Object.assign(more, { above, look, inherited, traits, start, end });
})();
