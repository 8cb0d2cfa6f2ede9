// @ts-check
// The offscreen document. It holds a port to the background's worker, says nothing on it, and opens another one when it
// breaks: that starts a worker that was stopped, which an alarm of a packed extension does only after half a minute.

/** A worker that lived less than this did not start well. */
const SHORT_MS = 1000;
/** How often in a row it is started again at once all the same; afterwards once in this time. */
const TRIES = 5;

let early = 0;

const hold = () => {
  const since = performance.now();
  const port = chrome.runtime.connect({ name: 'keeper' });
  port.onDisconnect.addListener(() => {
    // Read, so that the browser does not report it: why it broke makes no difference.
    void chrome.runtime.lastError;
    early = performance.now() - since > SHORT_MS ? 0 : early + 1;
    // At once where that can be: timers of a document that nobody sees are late.
    if (early < TRIES) hold();
    else setTimeout(hold, SHORT_MS);
  });
};

hold();
