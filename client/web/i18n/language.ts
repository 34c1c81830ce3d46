// The page's texts in one language, read once before anything is shown. Each language is one file, named in index.html;
// `make bundle` builds it from texts/ and shared/, which the terminal uses too.

import type { Child } from '../types/page.d.ts';
import { put } from '../ui/storage.ts';
import { coming, language, loadTexts, type Text } from './textFile.ts';

export { chosenLanguage, LANGUAGES, language, spoken } from './textFile.ts';

/** the values for {name} in a sentence */
export type Values = Record<string, Child>;

/** Delay before the texts are requested again. */
const AGAIN_MS = 1000;

const texts: Record<string, Text> = await coming.catch(() => loadAgain(language));
const plurals = new Intl.PluralRules(language);
/** The locale for dates, since English has several formats. */
const locale = t('language.locale');
document.documentElement.lang = language;

/** Stores the choice, or with null removes it. @returns whether that worked. The page has to be reloaded. */
export function chooseLanguage(code: string | null) {
  try {
    put('localStorage', 'language', code);
    return true;
  } catch {
    return false;
  }
}

/**
 * A connection may fail for a moment. If it stays away, the page says so in every language, since it does not know
 * which one the reader understands.
 */
async function loadAgain(code: string) {
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  try {
    return await loadTexts(code);
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

export function hasText(key: string) {
  return key in texts;
}

/** The text of a key. */
export function t(key: string, values: Values = {}): string {
  return pieces(key, values).join('');
}

/** The same in pieces, so that a value can be an element. */
export function pieces<Value = Child>(key: string, values: Record<string, Value | string | number> = {}) {
  const text = template(key, values);
  return text.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? shown(values[part] ?? `{${part}}`) : part));
}

function template(key: string, values: Record<string, unknown>) {
  const text = texts[key];
  if (typeof text === 'string') return text;
  if (text) return text[plurals.select(Number(values.count))] ?? text.other;
  console.error(`There is no text ${key} in ${language}.`);
  return key;
}

function shown<Value>(value: Value | string | number) {
  if (typeof value === 'string' && RIGHT_TO_LEFT.test(value)) return `\u2068${value}\u2069`;
  return typeof value === 'number' ? number(value) : value;
}

/** Letters of right-to-left scripts: text with any of them is isolated, or it would reorder the words around it. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** By their options: a clock formats ten times a second, and creating a formatter is slower than using it. */
const formats: Map<string, Intl.NumberFormat> = new Map();

/** A number as it is written here. */
export function number(value: number, options?: Intl.NumberFormatOptions) {
  const key = JSON.stringify(options ?? null);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, options);
    formats.set(key, format);
  }
  return format.format(value);
}

/** A time as it is written here. */
export function date(unix_ms: number, options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(locale, options).format(unix_ms);
}

/** "a, b and c" */
export function list(items: string[]) {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
}

/** Joins the parts that are not empty. */
export function joined(parts: unknown[], between = ' ') {
  return parts.filter(Boolean).join(between);
}
