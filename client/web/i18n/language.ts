// The page's texts in one language: read once, before anything is shown. Each language is one file, whose name is
// in index.html: `make bundle` makes it of that in texts/ and that in shared/, which the terminal says in the same words.

import type { Child } from '../types/page.d.ts';
import { coming, language, loadTexts, type Text } from './textFile.ts';

export { chosenLanguage, LANGUAGES, language, spoken } from './textFile.ts';

/** what stands for {name} in a sentence */
export type Values = Record<string, Child>;

/** Until the texts are asked for a second time. */
const AGAIN_MS = 1000;

const texts: Record<string, Text> = await coming.catch(() => loadAgain(language));
const plurals = new Intl.PluralRules(language);
/** How dates are written: of English there are several ways. */
const locale = t('language.locale');
document.documentElement.lang = language;

/** Keeps a choice, or with null none, and says whether it could be kept. The page has to be loaded again. */
export function chooseLanguage(code: string | null) {
  try {
    if (code === null) window.localStorage.removeItem('noughts.language');
    else window.localStorage.setItem('noughts.language', code);
    return true;
  } catch {
    return false;
  }
}

/**
 * A line may fail for a moment. If it stays away, the page says so in every language: which one can be read is not known.
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

/** The same in pieces, so that a value may be an element. */
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

/** Letters of Hebrew, Arabic and the like: what holds some is isolated, or it would turn the words around it. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** By their options: a clock asks ten times a second, and making one takes longer than using it. */
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

/** Those of the parts that there are, one after the other. */
export function joined(parts: unknown[], between = ' ') {
  return parts.filter(Boolean).join(between);
}
