// Runs in a page of the local site. The page has no policy, so the reader may be compiled here.

let reader;

async function setUp(bytes) {
  const { instance } = await WebAssembly.instantiate(new Uint8Array(bytes), {});
  reader = instance.exports;
  return true;
}

function read(request, columns) {
  const put = (text) => {
    const bytes = new TextEncoder().encode(text);
    const at = reader.alloc(bytes.length);
    new Uint8Array(reader.memory.buffer).set(bytes, at);
    return [at, bytes.length];
  };
  const [columnsAt, columnsLength] = put(columns);
  const asked = JSON.parse(request);
  if (asked.parts) asked.parts[0].bytes = columnsLength;
  const [requestAt, requestLength] = put(JSON.stringify(asked));
  const at = reader.read(requestAt, requestLength, columnsAt, columnsLength);
  const length = new DataView(reader.memory.buffer).getUint32(at, true);
  const reply = JSON.parse(new TextDecoder().decode(new Uint8Array(reader.memory.buffer, at + 4, length)));
  reader.free(at, length + 4);
  return reply;
}

// What an extension's author would write without a reader.
const hand = {
  text() {
    const out = [];
    const walk = (node) => {
      for (const child of node.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) out.push(child.data);
        if (child.nodeType !== Node.ELEMENT_NODE || ['SCRIPT', 'STYLE'].includes(child.tagName)) continue;
        const style = getComputedStyle(child);
        const box = child.getBoundingClientRect();
        const seen = child.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        if (!seen && style.display !== 'contents' || box.right < 0 && box.width > 0) continue;
        if (style.display.startsWith('inline')) walk(child);
        else { out.push('\n'); walk(child); out.push('\n'); }
      }
    };
    walk(document.body);
    return out.join('').replace(/[ \t]+/g, ' ').replace(/\s*\n\s*/g, '\n').trim();
  },
  // Roles, names, states and values of what can be seen, one line each, and the text between.
  outline() {
    const ROLES = {
      a: 'link', button: 'button', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', ul: 'list', ol: 'list',
      li: 'listitem', nav: 'navigation', main: 'main', header: 'banner', footer: 'contentinfo', form: 'form', table: 'table', tr: 'row', td: 'cell', th: 'columnheader',
      img: 'img', select: 'combobox', textarea: 'textbox', section: 'region', article: 'article', aside: 'complementary', p: 'paragraph', dialog: 'dialog',
    };
    const TYPES = { checkbox: 'checkbox', radio: 'radio', submit: 'button', button: 'button', range: 'slider', search: 'searchbox', number: 'spinbutton' };
    const ACTS = new Set(['link', 'button', 'checkbox', 'radio', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'heading']);
    const fold = (text) => text.replace(/\s+/g, ' ').trim();
    const lines = [];
    let number = 0;
    const nameOf = (element) => {
      const by = element.getAttribute('aria-labelledby');
      if (by) return fold(by.split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? '').join(' '));
      const own = element.getAttribute('aria-label') ?? element.getAttribute('alt');
      if (own) return fold(own);
      if (element.labels?.length) return fold([...element.labels].map((label) => label.textContent).join(' '));
      return fold(element.textContent) || element.getAttribute('title') || element.getAttribute('placeholder') || '';
    };
    const statesOf = (element) => ['disabled', 'checked', 'required', 'readOnly', 'selected'].filter((name) => element[name] === true)
      .concat(['expanded', 'pressed', 'selected', 'current'].filter((name) => element.getAttribute(`aria-${name}`) === 'true'));
    const walk = (element, depth) => {
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) {
          const text = fold(child.data);
          if (text) lines.push(`${'  '.repeat(depth)}text ${JSON.stringify(text)}`);
          continue;
        }
        if (child.nodeType !== Node.ELEMENT_NODE || ['SCRIPT', 'STYLE'].includes(child.tagName)) continue;
        const style = getComputedStyle(child), box = child.getBoundingClientRect(), tag = child.localName;
        const seen = child.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        if (!seen && style.display !== 'contents' || box.right < 0 && box.width > 0) continue;
        const role = child.getAttribute('role') ?? (tag === 'input' ? TYPES[child.type] ?? 'textbox' : ROLES[tag]);
        if (!role) { walk(child, depth); continue; }
        const acts = ACTS.has(role) || style.cursor === 'pointer';
        const states = statesOf(child), value = 'value' in child && child.type !== 'password' ? child.value : '';
        lines.push(`${'  '.repeat(depth)}${acts ? `e${number += 1} ` : ''}${role} ${acts ? JSON.stringify(nameOf(child)) : ''}`
          + `${states.length ? ` [${states.join(', ')}]` : ''}${value ? ` = ${JSON.stringify(value)}` : ''}${tag === 'a' ? ` -> ${child.getAttribute('href')}` : ''}`);
        if (!acts) walk(child, depth + 1);
      }
    };
    walk(document.body, 0);
    return lines.join('\n');
  },
  recipe() {
    const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const rows = [...document.querySelectorAll('li.row')].filter(seen);
    return rows.slice(0, 100).map((row) => {
      const one = (selector) => {
        const found = row.querySelectorAll(selector);
        if (found.length > 1) throw new Error(selector);
        return found[0];
      };
      return {
        title: one('.title').innerText.trim(), link: one('a.title').getAttribute('href'),
        price: one('.price')?.innerText.trim() ?? null,
      };
    });
  },
};

function measure(name, operation, request) {
  const samples = { port: [], reader: [], hand: [] };
  for (let round = 0; round < 15; round += 1) {
    const times = [performance.now()];
    const columns = drawbridgePort.run(operation);
    times.push(performance.now());
    const reply = read(request, columns);
    times.push(performance.now());
    const found = hand[name]();
    times.push(performance.now());
    if (['malformed', 'failed'].includes(reply.got) || !found.length) throw new Error(JSON.stringify(reply).slice(0, 300));
    ['port', 'reader', 'hand'].forEach((part, index) => samples[part].push(times[index + 1] - times[index]));
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  return {
    port: median(samples.port), reader: median(samples.reader), hand: median(samples.hand),
    elements: document.querySelectorAll('*').length,
  };
}
