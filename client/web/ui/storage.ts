// What this browser keeps, as JSON. Where storage is denied (private windows, blocked site data) the same things live as
// long as the page.

const PREFIX = 'noughts.';
/** What the storage did not take. */
const memory: Map<string, string | null> = new Map();

/** @returns what was kept; null if nothing was, or what is no JSON */
export function read(key: string): unknown {
  const text = memory.has(key) ? memory.get(key) : stored(key);
  try {
    return typeof text !== 'string' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** What is there now: another tab may have removed it. */
function stored(key: string): string | null {
  try {
    return window.localStorage.getItem(PREFIX + key);
  } catch {
    return null; // denied: the access itself throws
  }
}

/** @param value null forgets it */
export function write(key: string, value: unknown) {
  const text = value === null ? null : JSON.stringify(value);
  try {
    if (text === null) window.localStorage.removeItem(PREFIX + key);
    else window.localStorage.setItem(PREFIX + key, text);
    memory.delete(key);
  } catch {
    memory.set(key, text); // denied or full: it serves this session
  }
}

/** Whether this browser keeps nothing for this site: what is remembered goes with the page. */
export function isDenied() {
  return memory.size > 0;
}

/** What this tab alone keeps, over a reload too; null where nothing is, or may be. */
export function readHere(key: string): string | null {
  try {
    return window.sessionStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** @param text null forgets it */
export function writeHere(key: string, text: string | null) {
  try {
    if (text === null) window.sessionStorage.removeItem(PREFIX + key);
    else window.sessionStorage.setItem(PREFIX + key, text);
  } catch {
    // Denied: nothing depends on it.
  }
}
