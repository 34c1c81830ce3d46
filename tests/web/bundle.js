// Makes client/web/dist, the files that the server hands out, of the sources in client/web. Names carry a hash of what
// is in the file, so a browser asks for each once. `--check` writes nothing, and fails where dist is not what would be made.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */
/** @typedef {import('esbuild').Metafile} Metafile */

export const WEB = fileURLToPath(new URL('../../client/web', import.meta.url));
const MAIN = 'main.js';
const SHEET = 'page.css';
/** A module that loads it shows a board. */
const BOARD = 'board/board.js';
const TEXTS = 'i18n/texts';
/** What the terminal says in the same words. */
const SHARED_TEXTS = 'i18n/shared';

/** @type {BuildOptions} */
const OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  outdir: 'dist',
  metafile: true,
  write: false,
  logLevel: 'error',
};

/** All files of dist by their names. @param {string} web the folder of the sources @returns {Promise<Map<string, Buffer>>} */
export async function bundle(web) {
  const modules = await moduleGraph(web);
  const languages = (await readdir(path.join(web, TEXTS))).filter((name) => name.endsWith('.json')).sort();
  const texts = languages.map((name) => `${TEXTS}/${name}`);
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    absWorkingDir: web,
    entryPoints: [MAIN, ...modules.lazy, SHEET, ...texts].map((file) => ({ in: file, out: outName(file) })),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    minify: true,
    legalComments: 'inline',
    sourcemap: true,
    plugins: [gather(web, modules.together), wholeTexts(web)],
  });
  const files = new Map(outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]));
  const [page, favicon] = await Promise.all(
    ['index.html', 'favicon.svg'].map((name) => readFile(path.join(web, name))),
  );
  files.set('favicon.svg', favicon);
  files.set('index.html', Buffer.from(withNames(page.toString(), favicon.toString(), texts, metafile)));
  return files;
}

/** `room/view.js` is `room-view-HASH.js`, a language `texts-de-HASH.json`. @param {string} file */
function outName(file) {
  const { dir, name } = path.posix.parse(file);
  return [...(dir === TEXTS ? ['texts'] : dir ? dir.split('/') : []), name].join('-');
}

/**
 * Which modules are loaded when somebody asks for them, and what an entry is loaded together with.
 *
 * esbuild makes one file of all modules that the same entries lead to: dozens of files. So every entry leads to what the
 * first page loads and what later ones share, and those that show a board to what only such ones share.
 * @param {string} web
 */
async function moduleGraph(web) {
  const { metafile } = await build({ ...OPTIONS, absWorkingDir: web, entryPoints: [MAIN] });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const asked = imports.filter((one) => one.kind === 'dynamic-import' && one.path.endsWith('.js'));
  const lazy = [...new Set(asked.map((one) => one.path))].sort();
  const leads = new Map([MAIN, ...lazy].map((entry) => [entry, imported(metafile, entry)]));
  const users = (/** @type {string} */ file) => lazy.filter((entry) => leads.get(entry)?.has(file));
  const boards = users(BOARD);
  const shared = Object.keys(metafile.inputs).filter((file) => users(file).length > 1);
  const isForBoards = (/** @type {string} */ file) => users(file).every((entry) => boards.includes(entry));
  const first = new Set([...(leads.get(MAIN) ?? []), ...shared.filter((file) => !isForBoards(file))]);
  const together = new Map(
    [...leads]
      .filter(([, files]) => files.size > 0)
      .map(([entry]) => [entry, [...(boards.includes(entry) ? new Set([...first, ...shared]) : first)]]),
  );
  return { lazy, together };
}

/** All that a module imports at once. @param {Metafile} metafile @param {string} file @param {Set<string>} found */
function imported(metafile, file, found = new Set()) {
  for (const one of metafile.inputs[file].imports) {
    if (one.kind !== 'import-statement' || found.has(one.path)) continue;
    found.add(one.path);
    imported(metafile, one.path, found);
  }
  return found;
}

/**
 * An entry is reached through a module that imports what it is loaded together with.
 * @param {string} web @param {Map<string, string[]>} together @returns {import('esbuild').Plugin}
 */
function gather(web, together) {
  const namespace = 'gather';
  return {
    name: namespace,
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\.js$/ }, ({ path: asked, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' && kind !== 'entry-point') return null;
        const file = path.relative(web, path.join(resolveDir, asked)).replaceAll(path.sep, '/');
        return together.has(file) ? { path: file, namespace } : null;
      });
      onLoad({ filter: /\.js$/, namespace }, ({ path: file }) => {
        const imports = together.get(file)?.map((other) => `import './${other}';`) ?? [];
        return { contents: [...imports, `export * from './${file}';`].join('\n'), resolveDir: web };
      });
    },
  };
}

/** The page gets both files of a language as one. @param {string} web @returns {import('esbuild').Plugin} */
function wholeTexts(web) {
  return {
    name: 'texts',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]i18n[\\/]texts[\\/].*\.json$/ }, async ({ path: file }) => {
        const read = async (/** @type {string} */ name) => JSON.parse(await readFile(name, 'utf8'));
        const shared = await read(path.join(web, SHARED_TEXTS, path.basename(file)));
        return { contents: JSON.stringify({ ...(await read(file)), ...shared }), loader: 'copy' };
      });
    },
  };
}

/**
 * index.html with its icon and the names of what it loads.
 * @param {string} page @param {string} favicon @param {string[]} texts @param {Metafile} metafile
 */
function withNames(page, favicon, texts, metafile) {
  const outputs = Object.keys(metafile.outputs);
  const made = (/** @type {string} */ source) =>
    outputs.find((name) => name.startsWith(`dist/${outName(source)}-`) && name.endsWith(path.extname(source))) ?? '';
  const address = (/** @type {string} */ output) => output.replace('dist/', '/static/');
  const main = made(MAIN);
  const first = metafile.outputs[main].imports.filter((one) => one.kind === 'import-statement');
  /** @type {Record<string, string>} */
  const names = {
    languages: texts.map((file) => `${path.parse(file).name}=${address(made(file))}`).join(' '),
    favicon: `data:image/svg+xml,${encodeURIComponent(favicon)}`,
    style: address(made(SHEET)),
    first: first.map((one) => `<script type="module" async src="${address(one.path)}"></script>`).join('\n'),
    main: address(main),
  };
  return page.replace(/\{(\w+)\}/g, (_, name) => names[name]);
}

/** Names of files that are missing, left over or different. @param {Map<string, Buffer>} files @param {string} dist */
export async function differences(files, dist) {
  const there = await readdir(dist).catch(() => []);
  const contents = new Map(await Promise.all(there.map(async (name) => [name, await readFile(path.join(dist, name))])));
  const names = new Set([...there, ...files.keys()]);
  return [...names].filter((name) => !contents.get(name)?.equals(files.get(name) ?? Buffer.alloc(0))).sort();
}

/** @param {Map<string, Buffer>} files @param {string} dist */
export async function write(files, dist) {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
  for (const [name, contents] of files) await writeFile(path.join(dist, name), contents);
}

async function run() {
  const files = await bundle(WEB);
  const dist = path.join(WEB, 'dist');
  const different = await differences(files, dist);
  if (different.length === 0) return;
  if (!process.argv.includes('--check')) return write(files, dist);
  const which =
    different.length > 1 ? `${different[0]} and ${different.length - 1} more files differ` : `${different[0]} differs`;
  console.error(`client/web/dist is not what its sources make: ${which}. Run \`make bundle\` and commit what it made.`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
