// @ts-check
// Shows the connection's state, and stops what changes pages. It asks the background once a second while it is open and
// changes nothing by itself.

/**
 * @typedef {object} State
 * @property {'open' | 'connecting' | 'down' | 'refused'} state
 * @property {string | null} bridge Version of the connected bridge.
 * @property {string | null} name The name people gave this browser profile.
 * @property {number} calls Calls that run now.
 * @property {number} sessions Sessions with open tabs.
 * @property {string | null} message What is wrong.
 * @property {string | null} hint What to do about it.
 * @property {string} build Version of the extension.
 * @property {boolean} stopped Whether a person stopped what changes pages.
 * @property {number} attached Tabs that have the browser's debugger attached.
 * @property {number} attachedSeconds Seconds that tabs had it attached, all tabs together.
 */

const HEADLINES = {
  open: 'Connected',
  connecting: 'Connecting to the bridge…',
  down: 'Not connected',
  refused: 'The bridge refused the connection',
};

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id @param {string} text */
const write = (id, text) => {
  // Written only when it differs, so that a screen reader is not told the same thing every second.
  if (element(id).textContent !== text) element(id).textContent = text;
};

/** @param {number} count @param {string} noun */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** @param {State} state */
const show = (state) => {
  element('link').dataset.state = state.state;
  write('headline', HEADLINES[state.state]);
  element('facts').hidden = state.state !== 'open';
  write('name', state.name ?? '');
  write('bridge', state.bridge ?? '');
  write('work', `${counted(state.calls, 'call')}, ${counted(state.sessions, 'session')}`);
  element('debugging').hidden = state.attached === 0 && state.attachedSeconds === 0;
  write('attached', `${counted(state.attached, 'tab')} now, ${counted(state.attachedSeconds, 'second')} in all`);
  element('acting').hidden = state.sessions === 0 && !state.stopped;
  write('halted', state.stopped ? 'You stopped what changes pages. Reading goes on.' : '');
  element('stop').hidden = state.stopped;
  element('resume').hidden = !state.stopped;
  element('problem').hidden = !state.message;
  write('message', state.message ?? '');
  write('hint', state.hint ?? '');
  write('version', `Extension ${state.build}`);
};

/** @param {'state' | 'connect' | 'stop' | 'resume'} what */
const ask = async (what) => {
  try {
    const answer = await chrome.runtime.sendMessage({ ask: what });
    if (!answer || answer.error) throw new Error(answer?.error ?? 'no answer');
    show(answer);
  } catch (error) {
    show({
      state: 'down', bridge: null, name: null, calls: 0, sessions: 0, stopped: false, attached: 0, attachedSeconds: 0, build: chrome.runtime.getManifest().version,
      message: `The extension's background does not answer: ${error}`,
      hint: 'Close this and open it again. If it stays, reload the extension on the extensions page.',
    });
  }
};

element('again').addEventListener('click', () => ask('connect'));
element('stop').addEventListener('click', () => ask('stop'));
element('resume').addEventListener('click', () => ask('resume'));
setInterval(() => ask('state'), 1000);
ask('state');
