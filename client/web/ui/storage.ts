// What this browser keeps, as JSON. Where storage is denied (private windows, blocked site data) the same things live as
// long as the page.

const PREFIX = 'noughts.';
/** What the storage did not take. */
const memory: Map<string, string | null> = new Map();
let isFull = false;

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

/** Throws if the browser does not allow it. @param text null removes it */
export function put(area: 'localStorage' | 'sessionStorage', key: string, text: string | null) {
  if (text === null) window[area].removeItem(PREFIX + key);
  else window[area].setItem(PREFIX + key, text);
}

/** @param value null forgets it */
export function write(key: string, value: unknown) {
  const text = value === null ? null : JSON.stringify(value);
  try {
    put('localStorage', key, text);
    memory.delete(key);
  } catch (error) {
    memory.set(key, text); // it serves this session
    isFull = (error as Error).name === 'QuotaExceededError';
  }
}

/** Why a value lives only as long as the page; null if it is stored. */
export function unstored(key: string) {
  return memory.has(key) ? (isFull ? 'full' : 'denied') : null;
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
    put('sessionStorage', key, text);
  } catch {
    // Denied: nothing depends on it.
  }
}
