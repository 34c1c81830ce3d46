// What modules of the page find of a browser under node: an empty document, and the texts in English.

import { readFile } from 'node:fs/promises';

const WEB = new URL('../../client/web/', import.meta.url);

Object.assign(globalThis, {
  window: globalThis,
  document: { querySelector: () => ({ getAttribute: () => 'en=i18n/texts/en.json' }), documentElement: {} },
  fetch: async (/** @type {string} */ file) => {
    const read = async (/** @type {string} */ name) => JSON.parse(await readFile(new URL(name, WEB), 'utf8'));
    // `make bundle` makes one file of both.
    const shared = file.startsWith('i18n/texts/') ? await read(file.replace('/texts/', '/shared/')) : {};
    return { ok: true, json: async () => ({ ...(await read(file)), ...shared }) };
  },
});
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] }, configurable: true });
