// @ts-check
// What this browser keeps, as JSON. Where storage is denied (private windows, blocked site data) the same things live as
// long as the page.

const PREFIX = 'noughts.';
/** What the storage did not take. @type {Map<string, string|null>} */
const memory = new Map();

/** @param {string} key @returns {unknown} what was kept; null if nothing was, or what is no JSON */
export function read(key) {
  const text = memory.has(key) ? memory.get(key) : stored(key);
  try {
    return typeof text !== 'string' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** What is there now: another tab may have removed it. @param {string} key @returns {string|null} */
function stored(key) {
  try {
    return window.localStorage.getItem(PREFIX + key);
  } catch {
    return null; // denied: the access itself throws
  }
}

/** @param {string} key @param {unknown} value null forgets it */
export function write(key, value) {
  const text = value === null ? null : JSON.stringify(value);
  try {
    if (text === null) window.localStorage.removeItem(PREFIX + key);
    else window.localStorage.setItem(PREFIX + key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text); // denied or full: it serves this session
  }
}
