// @ts-check
// The page's texts in one language: read once, before anything is shown. Each language is one file, whose name is
// in index.html: `make bundle` makes it of that in texts/ and that in shared/, which the terminal says in the same words.

/** @typedef {import('../types/page.js').Child} Child */
/** @typedef {string | Record<string, string>} Text a sentence, or one for each plural form of `count` */
/** @typedef {Record<string, Child>} Values what stands for {name} in a sentence */

const FALLBACK = 'en';
/** Until the texts are asked for a second time. */
const AGAIN_MS = 1000;

/** Where the texts of a language are: `de=/static/texts-de.json en=...` @type {Map<string, string>} */
const files = new Map(
  (document.querySelector('meta[name="languages"]')?.getAttribute('content') ?? '')
    .split(' ')
    .map((pair) => /** @type {[string, string]} */ (pair.split('='))),
);

/** Codes of the languages that there are. */
export const LANGUAGES = [...files.keys()];

/** What is spoken here: what was chosen, else the first language of the browser that there is. */
export const language = spoken(chosenLanguage(), navigator.languages, LANGUAGES);

/** @type {Record<string, Text>} */
const texts = await load(language).catch(() => loadAgain(language));
const plurals = new Intl.PluralRules(language);
/** How dates are written: of English there are several ways. */
const locale = t('language.locale');
document.documentElement.lang = language;

/** Pure. @param {string|null} chosen @param {readonly string[]} wanted @param {string[]} there */
export function spoken(chosen, wanted, there) {
  const codes = [chosen, ...wanted].map((tag) => tag?.toLowerCase().split('-')[0]);
  return codes.find((code) => code && there.includes(code)) ?? FALLBACK;
}

/** The language that was chosen in the settings; null where the browser's holds. */
export function chosenLanguage() {
  try {
    return window.localStorage.getItem('noughts.language');
  } catch {
    return null; // denied
  }
}

/** Keeps a choice, or with null none, and says whether it could be kept. The page has to be loaded again.
 * @param {string|null} code */
export function chooseLanguage(code) {
  try {
    if (code === null) window.localStorage.removeItem('noughts.language');
    else window.localStorage.setItem('noughts.language', code);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} code @returns {Promise<Record<string, Text>>} */
async function load(code) {
  const answer = await fetch(/** @type {string} */ (files.get(code)));
  if (!answer.ok) throw new Error(`The texts of the page could not be loaded: ${answer.status}.`);
  return answer.json();
}

/** A line may fail for a moment. If it stays away, the page says so in every language: which one can be read is not known.
 * @param {string} code */
async function loadAgain(code) {
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  try {
    return await load(code);
  } catch (error) {
    tellSilence();
    throw error;
  }
}

function tellSilence() {
  const sentences = document.getElementById('silent');
  if (!sentences) return;
  sentences.hidden = false;
  for (const button of sentences.querySelectorAll('button')) button.addEventListener('click', () => location.reload());
}

/** @param {string} key */
export function hasText(key) {
  return key in texts;
}

/** The text of a key. @param {string} key @param {Values} [values] @returns {string} */
export function t(key, values = {}) {
  return pieces(key, values).join('');
}

/**
 * The same in pieces, so that a value may be an element.
 * @param {string} key @param {Values} [values] @returns {Child[]}
 */
export function pieces(key, values = {}) {
  const text = template(key, values);
  return text.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? shown(values[part] ?? `{${part}}`) : part));
}

/** @param {string} key @param {Values} values */
function template(key, values) {
  const text = texts[key];
  if (typeof text === 'string') return text;
  if (text) return text[plurals.select(Number(values.count))] ?? text.other;
  console.error(`There is no text ${key} in ${language}.`);
  return key;
}

/** @param {Child} value */
function shown(value) {
  return typeof value === 'number' ? number(value) : value;
}

/**
 * By their options: a clock asks ten times a second, and making one takes longer than using it.
 * @type {Map<string, Intl.NumberFormat>}
 */
const formats = new Map();

/** A number as it is written here. @param {number} value @param {Intl.NumberFormatOptions} [options] */
export function number(value, options) {
  const key = JSON.stringify(options ?? null);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, options);
    formats.set(key, format);
  }
  return format.format(value);
}

/** A time as it is written here. @param {number} unix_ms @param {Intl.DateTimeFormatOptions} options */
export function date(unix_ms, options) {
  return new Intl.DateTimeFormat(locale, options).format(unix_ms);
}

/** "a, b and c" @param {string[]} items */
export function list(items) {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
}
