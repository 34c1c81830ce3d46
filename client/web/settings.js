// @ts-check
// What this browser remembers: the token, the marks, the last choices. Where storage is denied (private windows,
// blocked site data) the same things live as long as the page.

const PREFIX = 'noughts.';
/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} key @returns {any} */
function read(key) {
  let text = null;
  try {
    text = window.localStorage.getItem(PREFIX + key);
  } catch {
    // Denied: the access itself throws.
  }
  text ??= memory.get(key) ?? null;
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {string} key @param {any} value */
function write(key, value) {
  const text = value === null ? null : JSON.stringify(value);
  if (text === null) memory.delete(key);
  else memory.set(key, text);
  try {
    if (text === null) window.localStorage.removeItem(PREFIX + key);
    else window.localStorage.setItem(PREFIX + key, text);
  } catch {
    // Denied or full: the copy in memory serves this session.
  }
}

/** Read at each greeting and never cached: another tab may have got or lost it meanwhile. @returns {string|null} */
export function token() {
  const value = read('token');
  return typeof value === 'string' ? value : null;
}

export function setToken(/** @type {string|null} */ value) {
  write('token', value);
}

export function guestName() {
  return `Guest ${1000 + Math.floor(Math.random() * 9000)}`;
}

/** @returns {{x: string, o: string}} */
export function marks() {
  const value = read('marks');
  const x = checkedMark(value?.x);
  const o = checkedMark(value?.o);
  return x && o && x !== o ? { x, o } : { x: 'X', o: 'O' };
}

/** Keeps both marks, or says in one sentence why not. @returns {string|null} */
export function setMarks(/** @type {string} */ x, /** @type {string} */ o) {
  const checked = { x: checkedMark(x), o: checkedMark(o) };
  if (!checked.x || !checked.o) return 'A mark is one or two characters that can be seen.';
  if (checked.x === checked.o) return 'The two marks must differ.';
  write('marks', checked);
  return null;
}

/** @param {any} text @returns {string|null} */
function checkedMark(text) {
  if (typeof text !== 'string') return null;
  const mark = text.trim().normalize('NFC');
  const count = characters(mark);
  return count >= 1 && count <= 2 && mark.length <= 40 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(mark) ? mark : null;
}

/** Characters as people count them: a flag or a family of emoji is one. */
export function characters(/** @type {string} */ text) {
  if ('Segmenter' in Intl) return [...new Intl.Segmenter().segment(text)].length;
  return [...text].length;
}

/** The choices of the last game made here, so that the form opens with them. @returns {Record<string, any>} */
export function lastChoices() {
  const value = read('choices');
  return value && typeof value === 'object' ? value : {};
}

export function setLastChoices(/** @type {Record<string, any>} */ choices) {
  write('choices', { ...lastChoices(), ...choices });
}
