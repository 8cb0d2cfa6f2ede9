// First script of every widget page. The page calls `ready()` when all it shows is there; a problem is left on the root
// element, where the harness reads it.
const problem = (text) => { document.documentElement.dataset.problem = String(text); };
addEventListener('error', (event) => problem(event.message ?? event.target.src), true);
addEventListener('unhandledrejection', (event) => problem(event.reason));
const until = async (what) => {
  for (let turns = 0; !what(); turns += 1) {
    if (turns > 400) throw new Error(`not there: ${what}`);
    await new Promise((go) => setTimeout(go, 25));
  }
};
const ready = () => { document.documentElement.dataset.ready = ''; };
const show = async (...steps) => {
  for (const step of steps) await step();
  ready();
};
