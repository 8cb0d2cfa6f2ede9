// @ts-check
// Asks a person one question after the other. What counts as an answer is decided here: a deliberate press in a window that was in
// front for a while. Whatever else reaches this page, whether synthetic, held down or too early, allows nothing.

/** How long the window has to be in front, without a break, before Allow does anything. */
const HOLD_MS = 500;

/** How long the background may take to answer; it may have to start first. */
const PATIENCE_MS = 5000;

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const allow = element('allow');
const deny = element('deny');

/** Rises with every change of focus or visibility: a press that began in another epoch is none. */
let epoch = 0;
/** When the window came to the front; null while it is not. @type {number | null} */
let since = null;
/** The epoch in which a press on Allow began. @type {number | null} */
let pressed = null;
/** Which question is shown. @type {any} */
let shown = null;
/** When it came in place of another one; null for the first. @type {number | null} */
let followed = null;
let answered = false;

const inFront = () => document.visibilityState === 'visible' && document.hasFocus();

const armed = () => shown && !answered && inFront() && since !== null && performance.now() - since >= HOLD_MS;

const paint = () => allow.setAttribute('aria-disabled', String(!armed()));

const again = () => {
  epoch += 1;
  pressed = null;
  since = inFront() ? performance.now() : null;
  paint();
  if (since !== null) setTimeout(paint, HOLD_MS + 20);
};

for (const name of ['focus', 'blur', 'resize', 'pageshow', 'pagehide']) addEventListener(name, again);
document.addEventListener('visibilitychange', again);

/** @param {string} text */
const note = (text) => {
  if (element('note').textContent !== text) element('note').textContent = text;
};

/** @param {object} request */
const tell = async (request) => {
  // A background that is stopped in between may leave a message without any answer.
  const late = new Promise((_, reject) => { setTimeout(reject, PATIENCE_MS, new Error('no answer')); });
  const answer = await Promise.race([chrome.runtime.sendMessage(request), late]);
  if (!answer || answer.error) throw new Error(answer?.error ?? 'no answer');
  return answer;
};

const verdict = () => {
  const chosen = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name=choice]:checked'));
  if (shown.ask.kind !== 'admit' || !chosen || chosen.value === 'ask') return { verdict: 'allow' };
  if (chosen.value === 'everywhere') return { verdict: 'allowEverywhere' };
  const written = /** @type {HTMLTextAreaElement} */ (element('sites')).value.split(/[\s,]+/);
  return { verdict: 'allowSites', sites: written.filter((site) => site) };
};

/** @param {object} answer */
const decide = async (answer) => {
  answered = true;
  paint();
  try {
    const { approval, waiting } = await tell({ ask: 'decide', id: shown.id, answer });
    // After the last one the background closes this window.
    if (approval) show(approval, waiting);
    else note('Answered.');
  } catch (error) {
    answered = false;
    note(`The bridge did not hear it: ${error}`);
    again();
  }
};

allow.addEventListener('pointerdown', (event) => {
  pressed = event.isTrusted && armed() ? epoch : null;
});
allow.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  const fits = event.isTrusted && !event.repeat && armed();
  pressed = fits ? epoch : null;
  // A key that is held down was not pressed for this.
  if (!fits) event.preventDefault();
});
allow.addEventListener('click', (event) => {
  const fits = event.isTrusted && armed() && pressed === epoch;
  pressed = null;
  if (fits) decide(verdict());
});
deny.addEventListener('keydown', (event) => {
  // A key that is held down answers one question and not those behind it.
  if (event.repeat) event.preventDefault();
});
deny.addEventListener('click', (event) => {
  // The second press of two was meant for the question before.
  const early = followed !== null && performance.now() - followed < HOLD_MS;
  if (event.isTrusted && shown && !answered && !early) decide({ verdict: 'deny' });
});
element('choices').addEventListener('change', () => {
  const chosen = /** @type {HTMLInputElement | null} */ (document.querySelector('input[name=choice]:checked'));
  element('sites').hidden = chosen?.value !== 'sites';
});

/** What an action means for a person. @param {string} action */
const does = (action) => ({
  'browser.read': 'read pages',
  'browser.interact': 'open pages and act on them',
  'browser.submit': 'submit forms',
  'browser.list': 'see your list of tabs',
  '*': 'do everything it can ask for',
})[action] ?? action;

/** @param {string | null} site */
const place = (site) => (site === '*' ? 'All sites but local addresses' : site ?? 'This browser');

/** @param {[string, string][]} rows */
const facts = (rows) => element('facts').replaceChildren(...rows.map(([name, value]) => {
  const row = document.createElement('div');
  row.append(document.createElement('dt'), document.createElement('dd'));
  row.children[0].textContent = name;
  row.children[1].textContent = value;
  return row;
}));

/** @param {any} ask */
const words = (ask) => {
  switch (ask.kind) {
    case 'admit':
      return {
        where: '',
        question: `Let the client “${ask.client}” use this browser?`,
        rows: [['Client', ask.client], ['Calls itself', ask.name ? `“${ask.name}”` : '–']],
      };
    case 'use':
      return {
        where: place(ask.site),
        question: `Let “${ask.client}” ${does(ask.action)} here from now on?`,
        rows: [['Client', ask.client], ['May', does(ask.action)],
          ...(ask.title ? [['The page calls itself', `“${ask.title}”`]] : [])],
      };
    case 'unlist':
      return {
        where: '',
        question: 'No longer ask one by one for these sites of your list?',
        rows: [['Sites', ask.sites.join(', ')]],
      };
    case 'grant':
      return {
        where: place(ask.site),
        question: ask.decision === 'ask'
          ? `Ask you each time “${ask.client}” wants to ${does(ask.action)} here?`
          : `Let ${ask.client === '*' ? 'every admitted client' : `“${ask.client}”`} ${does(ask.action)} here?`,
        rows: [['Client', ask.client === '*' ? 'Every admitted one' : ask.client], ['May', does(ask.action)]],
      };
    case 'pair':
      return {
        where: '',
        question: `Let another browser profile, “${ask.name}”, take calls and answer such questions?`,
        rows: [['Profile', ask.name], ['Browser', ask.browser], ['Key', ask.fingerprint]],
      };
    case 'deleteAudit':
      return {
        where: '',
        question: 'Delete the record of what clients did?',
        rows: [['Calls in it', String(ask.rows)]],
      };
    default:
      return null;
  }
};

/** @param {any} approval @param {number} waiting How many questions come after it. */
const show = (approval, waiting) => {
  const said = words(approval.ask);
  if (!said) return note('This question is from a newer bridge: update the extension.');
  const more = waiting ? ` ${waiting} more after this one.` : '';
  note(`No answer, or a closed window, means no.${more}`);
  if (shown?.id === approval.id) return;
  followed = shown ? performance.now() : null;
  shown = approval;
  answered = false;
  element('where').textContent = said.where;
  element('question').textContent = said.question;
  facts(/** @type {[string, string][]} */ (said.rows));
  // Nothing of an answer before goes into this one.
  /** @type {HTMLInputElement} */ (document.querySelector('input[value=ask]')).checked = true;
  /** @type {HTMLTextAreaElement} */ (element('sites')).value = '';
  element('sites').hidden = true;
  element('choices').hidden = approval.ask.kind !== 'admit';
  element('sensitive').textContent = `${approval.ask.sensitive ?? 0} listed`;
  /** @type {HTMLElement} */ (document.querySelector('main')).hidden = false;
  deny.focus();
  // What is in front now was not to be seen before.
  again();
};

const look = async () => {
  try {
    const { approval, waiting } = await tell({ ask: 'approval' });
    if (approval) show(approval, waiting);
    else if (shown) window.close();
    else note('There is nothing to answer.');
  } catch (error) {
    if (!shown) note(String(error));
  }
};

/** The first question is waited for, the next ones come with an answer or are far away. */
const watch = async () => {
  await look();
  setTimeout(watch, shown ? 1000 : 100);
};

// Inside another page nothing is shown and nothing can be pressed.
if (window.top === window) watch();
