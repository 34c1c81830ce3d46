// How large the page's own code is: what esbuild makes of each of its modules and sheets, minified as it is sent, without
// libraries, texts and puzzles. `node size.js` tells it by folder, `node size.js FOLDER` of another page, such as an earlier one.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { libraries, markup, OPTIONS, WEB } from './bundle.js';

const MAINS = ['main.tsx', 'main.js'];
const SHEETS = ['page.css', 'views.css'];
/** What draws only what no page before b550319 had; what such pages had more of counts as what they did before. */
export const NEW = [
  'identity/ownBots.tsx',
  'ladder/history.tsx',
  'lobby/challengeToast.tsx',
  'lobby/challengeWords.ts',
  'lobby/ownGames.tsx',
  'net/announcement.ts',
  'record/animation.ts',
  'record/drawing.ts',
  'record/pictureDialog.tsx',
  'record/shareDialog.tsx',
  'record/sheet.ts',
  'room/simulation.ts',
  'room/simulation.tsx',
  'ui/announcementToast.tsx',
  'ui/print.ts',
];
/** What is not this project's own, and what is data. */
const NOT_OURS = /^library:|^\.\.|^vendor\/|\.json$/;

/**
 * Bytes of each module and sheet by its name below `web`. `whole` keeps the names of variables, which else are a letter.
 * @param {string} web @param {{ whole?: boolean }} [how] @returns {Promise<Map<string, number>>}
 */
export async function sizes(web, { whole = false } = {}) {
  const there = [...MAINS, ...SHEETS].filter((name) => existsSync(path.join(web, name)));
  const { metafile } = await build({
    ...OPTIONS,
    absWorkingDir: web,
    entryPoints: there,
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: !whole,
    plugins: [markup, libraries],
  });
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [name, { bytesInOutput }] of Object.entries(inputs))
      if (!NOT_OURS.test(name)) found.set(name, (found.get(name) ?? 0) + bytesInOutput);
  return found;
}

/** @param {Map<string, number>} sizes @param {RegExp} which */
export function sum(sizes, which) {
  return [...sizes].reduce((all, [name, bytes]) => all + (which.test(name) ? bytes : 0), 0);
}

async function run() {
  const web = path.resolve(process.argv[2] ?? WEB);
  const [sent, whole] = [await sizes(web), await sizes(web, { whole: true })];
  const row = (/** @type {string} */ name, /** @type {RegExp} */ which) =>
    console.log([name.padEnd(16), ...[sent, whole].map((one) => String(sum(one, which)).padStart(9))].join(' '));
  console.log(`${' '.repeat(16)}      sent     whole`);
  const folders = [...new Set([...sent.keys()].map((name) => path.posix.dirname(name)))].sort();
  for (const folder of folders) row(folder, new RegExp(`^${folder === '.' ? '' : `${folder}/`}[^/]+\\.(js|tsx?)$`));
  row('scripts', /\.(js|tsx?)$/);
  row('of them new', new RegExp(`^(${NEW.join('|')})$`));
  row('sheets', /\.css$/);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
