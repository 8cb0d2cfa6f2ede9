// @ts-check
// The profile's key. The browser makes it, keeps it and signs with it; nobody can read the private half, not even this
// extension. Each id of a profile has a key of its own.

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };

/** @type {Map<string, Promise<CryptoKeyPair>>} */
const pairs = new Map();

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const database = () => {
  const request = indexedDB.open('drawbridge', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('keys');
  return settled(request);
};

/** @param {string} target @returns {Promise<CryptoKeyPair>} */
const keptOrMade = async (target) => {
  const kept = await database();
  try {
    const before = await settled(kept.transaction('keys').objectStore('keys').get(target));
    if (before) return before;
    const made = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    // Before it is shown to anybody, so that a profile never comes back without the key it named.
    const transaction = kept.transaction('keys', 'readwrite', { durability: 'strict' });
    await settled(transaction.objectStore('keys').add(made, target));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    return made;
  } finally {
    kept.close();
  }
};

/** @param {string} target */
const pair = (target) => {
  const known = pairs.get(target) ?? keptOrMade(target);
  pairs.set(target, known);
  known.catch(() => pairs.delete(target));
  return known;
};

/** @param {ArrayBuffer} bytes */
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The public half, as an uncompressed point. */
export const publicKey = async (/** @type {string} */ target) =>
  hex(await crypto.subtle.exportKey('raw', (await pair(target)).publicKey));

/** A signature: r, then s. */
export const sign = async (/** @type {string} */ target, /** @type {string} */ text) => {
  const { privateKey } = await pair(target);
  return hex(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, new TextEncoder().encode(text)));
};
