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
