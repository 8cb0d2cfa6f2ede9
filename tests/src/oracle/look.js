function (...nodes) {
  // A page's names stand in front of the properties of forms and documents in this world too: prototypes alone are asked.
  const get = (prototype, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(prototype, name).get);
  const call = (prototype, name) => Function.prototype.call.bind(prototype[name]);
  const [slotOf, tagOf] = [get(Element.prototype, 'assignedSlot'), get(Element.prototype, 'localName')];
  const [parentOf, childrenOf, typeOf] = ['parentNode', 'childNodes', 'nodeType'].map((name) => get(Node.prototype, name));
  const rootOf = call(Node.prototype, 'getRootNode');
  const [shows, boxOf, closest, attribute] = ['checkVisibility', 'getBoundingClientRect', 'closest', 'getAttribute']
    .map((name) => call(Element.prototype, name));
  const [rootElement, body, images] = ['documentElement', 'body', 'images'].map((name) => get(Document.prototype, name)(document));
  const range = call(Document.prototype, 'createRange')(document);
  // Built-in elements that take a shadow tree from the page; any other root belongs to the browser.
  const HOSTS = /^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
  const above = (element) => {
    const parent = slotOf(element) ?? parentOf(element);
    return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  };
  const builtIn = (element) => {
    for (let root = rootOf(element); root instanceof ShadowRoot; root = rootOf(root.host)) {
      if (!HOSTS.test(tagOf(root.host)) && !tagOf(root.host).includes('-')) return true;
    }
    return false;
  };
  const clippedAway = (element) => {
    let position = getComputedStyle(element).position, light = 1;
    for (let box = element; box && box !== body && box !== rootElement; box = above(box)) {
      const style = getComputedStyle(box);
      light *= parseFloat(style.opacity);
      if (light <= 0.05) return true;
      const holds = box === element || position !== 'fixed' && (position !== 'absolute' || style.position !== 'static');
      if (!holds) continue;
      const rect = boxOf(box);
      const small = rect.width <= 1 || rect.height <= 1;
      if (small && style.display !== 'inline' && style.display !== 'contents'
        && (style.overflow !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none')) return true;
      // Clipped or filtered to nothing, whatever its size.
      if (/^(inset\((50|100)%\)|circle\(0)/.test(style.clipPath) || /opacity\(0%?\)/.test(style.filter)) return true;
      if (box !== element) position = style.position;
    }
    return false;
  };
  const onPage = (rect) => rect.width > 0 && rect.height > 0 && rect.bottom + scrollY > 0
    && (rect.right + scrollX > 0 || getComputedStyle(rootElement).direction === 'rtl');
  const opaque = { visibilityProperty: true, opacityProperty: true };
  const drawn = (element) => {
    if (shows(element, opaque) && onPage(boxOf(element)) && !clippedAway(element)) return true;
    // Without a box of its own it is what it holds: `display: contents`, or an inline link around something that floats.
    for (const child of childrenOf(element)) {
      if (child instanceof Element) {
        if (drawn(child)) return true;
      } else if (typeOf(child) === 3 && child.data.trim() !== '') {
        range.selectNodeContents(child);
        const shown = getComputedStyle(element).visibility === 'visible' && shows(above(element) ?? element, opaque);
        if (shown && [...range.getClientRects()].some(onPage) && !clippedAway(element)) return true;
      }
    }
    return false;
  };
  const visible = (element) => {
    if (tagOf(element) === 'area') {
      const name = closest(element, 'map')?.name;
      return [...images].some((image) => image.useMap === `#${name}` && drawn(image));
    }
    if (drawn(element)) return true;
    // A box that styles replace is seen as its label.
    const box = tagOf(element) === 'input' && /^(checkbox|radio)$/.test(element.type);
    return box && [...element.labels].some(drawn);
  };
  return nodes.map((node) => node instanceof Element
    ? { visible: visible(node), tag: tagOf(node), title: attribute(node, 'title') ?? '', builtIn: builtIn(node) }
    : { visible: false, tag: '', title: '', builtIn: false });
}
