// What modules of the page find of a browser under node: an empty document, and the texts in English.

import { readFile } from 'node:fs/promises';

const WEB = new URL('../../client/web/', import.meta.url);

Object.assign(globalThis, {
  window: globalThis,
  document: { querySelector: () => null, documentElement: {} },
  fetch: async (/** @type {string} */ path) => {
    const text = await readFile(new URL(path.replace('/static/', ''), WEB), 'utf8');
    return { ok: true, json: async () => JSON.parse(text) };
  },
});
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] }, configurable: true });
