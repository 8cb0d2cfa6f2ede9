// @ts-check
/** Whether text can be read where it is shown: its colour before what is behind it, its size, and whether it is shown at all. */
(() => {
  'use strict';
  const port = /** @type {any} */ (globalThis).drawbridgePort;
  if (port.kit.more.blends) return;
  const { HTML, dom, more, page, seen } = port.kit, { above } = more, styleOf = getComputedStyle, SVG = 'http://www.w3.org/2000/svg';
  /** How far a colour may be from what is behind it, of 255, and how little of it be left, to be read by nobody. */
  const NEAR = 10, FAINT = 0.05;
  const words = (/** @type {string} */ list) => new Set(list.split(' '));
  /** Elements whose own text is never shown, is the value of a field, or stands in for what is shown. */
  const MUTE = words('script style noscript template textarea canvas video audio iframe frame embed progress meter select datalist');
  /** Elements of drawings that show, or say, their own text. */
  const DRAWN = words('text tspan textPath a title desc foreignObject');

  const PICTURES = words('img video canvas iframe object embed');

  /** Red, green and blue, of 255, and how much of it is there. @typedef {[number, number, number, number]} Colour */
  const /** @type {Map<string, Colour | null>} */ colours = new Map();
  let /** @type {Map<any, Colour | null>} */ grounds = new Map(), /** @type {any} */ scratch = null;
  /** What a computed colour comes to on a screen; `null`: nobody knows. @type {(text: string) => Colour | null} */
  const colourOf = (text) => {
    let colour = colours.get(text);
    if (colour !== undefined) return colour;
    const [, red, green, blue, part = '1'] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text) ?? [];
    colour = red === undefined ? painted(text) : [+red, +green, +blue, +part];
    if (colours.size > 10_000) colours.clear();
    colours.set(text, colour);
    return colour;
  };
  const painted = (/** @type {string} */ text) => {
    scratch ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    scratch.fillStyle = '#010203'; scratch.fillStyle = text;
    if (scratch.fillStyle === '#010203') return null;
    scratch.clearRect(0, 0, 1, 1); scratch.fillRect(0, 0, 1, 1);
    const [red, green, blue, part] = scratch.getImageData(0, 0, 1, 1).data;
    return /** @type {Colour} */ ([red, green, blue, part / 255]);
  };
  const isClear = (/** @type {string} */ text) => colourOf(text)?.[3] === 0;
  /** One colour in front of another. @type {(front: Colour | null, behind: Colour | null) => Colour | null} */
  const over = (front, behind) => {
    if (!front || front[3] >= 1) return front;
    if (front[3] === 0) return behind;
    return behind && /** @type {Colour} */ ([0, 1, 2].map((at) => front[at] * front[3] + behind[at] * (1 - front[3])).concat(1));
  };
  /** The colour behind everything of a document; that of a frame is not known in it. @type {() => Colour | null} */
  const canvas = () => parent === self && page.root && !styleOf(page.root).colorScheme.includes('dark') ? [255, 255, 255, 1] : null;
  /** The colour that an element and those around it give to what is behind its text. @type {(element: Element) => Colour | null} */
  const groundOf = (element) => {
    const chain = [];
    let /** @type {any} */ at = element;
    for (; at && !grounds.has(at); at = above(at)) chain.push(at);
    let ground = at ? grounds.get(at) ?? null : canvas();
    for (const one of chain.reverse()) grounds.set(one, ground = over(colourOf(styleOf(one).backgroundColor), ground));
    return ground;
  };
  /** Whether an element's text is cut out of a background that shows something. */
  const isCutOut = (/** @type {any} */ style) => /text/.test(style.backgroundClip) && (style.backgroundImage !== 'none' || !isClear(style.backgroundColor));

  /** The colour behind an element's text, as far as that is plain: `null` where an image or something else may lie between. @type {(element: Element) => Colour | null} */
  const behind = (element) => {
    for (let /** @type {any} */ box = element; box; box = above(box)) {
      const style = styleOf(box);
      if (style.backgroundImage !== 'none' || isCutOut(style)) return null;
      if ((colourOf(style.backgroundColor)?.[3] ?? 0) >= 1) break;
      if (/absolute|fixed|sticky/.test(style.position)) return beneath(element);
    }
    const stack = under(element);
    return stack.length === 0 || dom.contains(stack[0], element) ? groundOf(element) : null;
  };
  /** What lies under the middle of an element in the window, from the front. @type {(element: Element) => Element[]} */
  const under = (element) => {
    const { left, top, width, height } = seen, stack = dom.Document_elementsFromPoint(document, left - page.x + width / 2, top - page.y + height / 2);
    const mine = stack.indexOf(element);
    return mine < 0 ? [] : stack.slice(mine + 1);
  };
  /** The same for what is placed on its own, in front of whatever lies there; known only in the window. @type {(element: Element) => Colour | null} */
  const beneath = (element) => {
    const below = under(element);
    if (below.length === 0) return null;
    for (const layer of [element, ...below]) {
      const style = styleOf(layer), colour = colourOf(style.backgroundColor);
      if (style.backgroundImage !== 'none' || !colour || dom.namespaceURI(layer) !== HTML || PICTURES.has(dom.localName(layer))) return null;
      if (colour[3] >= 1) return isPictured(element, layer) ? null : colour;
      if (colour[3] > 0) return null;
    }
    return isPictured(element, page.root) ? null : canvas();
  };
  /** Whether a picture lies where an element does: one that takes no pointer is in no stack. @type {(element: Element, inside: Element) => boolean} */
  const isPictured = (element, inside) => {
    const own = dom.getBoundingClientRect(element);
    return [...dom.querySelectorAll(inside, 'img, video, canvas, svg, iframe, object, embed')].some((one) => {
      const box = dom.getBoundingClientRect(one);
      return box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top && !dom.contains(element, one);
    });
  };

  /** Whether the own text of the element that was looked at last cannot be read: for its colour, its size, or where it is put. @type {(element: Element) => boolean} */
  const blends = (element) => {
    const style = seen.style ??= styleOf(element), { width, height } = seen, isBox = style.display !== 'inline';
    if ((isBox && style.contentVisibility === 'hidden') || (dom.localName(element) === 'details' && !dom.hasAttribute(element, 'open'))) return true;
    if ((height < 8 || isBox) && parseFloat(style.fontSize) < 2) return true;
    const indent = isBox && style.textIndent !== '0px' ? parseFloat(style.textIndent) : 0;
    seen.close = indent > 0;
    const isPushed = indent > 0 && style.whiteSpace === 'nowrap'
      && seen.left + (style.textIndent.endsWith('%') ? indent * width / 100 : indent) >= (seen.rest?.flow.right ?? Infinity);
    if (indent < -999 || isPushed) return true;
    const fill = colourOf(style.webkitTextFillColor), dim = seen.rest?.dim ?? 1;
    const isFaint = (/** @type {Colour | null} */ ink) => ink !== null && ink[3] * dim <= FAINT;
    const nearTo = (/** @type {Colour | null} */ ground, /** @type {(Colour | null)[]} */ inks) => ground !== null && inks.every((ink) => ink !== null
      && (isFaint(ink) || Math.max(...[0, 1, 2].map((at) => Math.abs(ink[at] - ground[at]))) * ink[3] * dim <= NEAR));
    // Most text stands out by its own colour: nothing else is asked of it.
    if (!isFaint(fill) && !nearTo(groundOf(element), [fill])) return false;
    seen.close = true;
    const stroke = parseFloat(style.webkitTextStrokeWidth) > 0 ? [style.webkitTextStrokeColor] : [];
    const shadow = style.textShadow === 'none' ? [] : style.textShadow.match(/[a-z-]+\([^()]*\)/g) ?? [];
    const inks = [fill, ...[...stroke, ...shadow].map(colourOf)];
    if (inks.every(isFaint)) {
      const around = above(element);
      return !isCutOut(style) && !(around && isCutOut(styleOf(around)));
    }
    // Looking closely is dear, and a colour that stands out from those around it is taken to be readable.
    return nearTo(groundOf(element), inks) && nearTo(behind(element), inks);
  };

  /** Whether an element's own text is no text that is shown. @type {(element: Element, tag: string, space?: string | null) => boolean} */
  const isUnsaid = (element, tag, space = dom.namespaceURI(element)) => {
    if (space === SVG) return !DRAWN.has(tag);
    return MUTE.has(tag) || (tag === 'object' && !isFallback(element));
  };
  /** Whether an object shows what it holds for those who do not get it. */
  const isFallback = (/** @type {Element} */ element) => {
    const range = dom.Document_createRange(document);
    dom.Range_selectNodeContents(range, element);
    return dom.Range_getClientRects(range).length > 0;
  };
  Object.assign(more, { blends, isUnsaid, forget: () => { grounds = new Map(); } });
})();
