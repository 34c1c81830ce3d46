// Makes client/web/dist, the files that the server hands out, of the sources in client/web. Names carry a hash of what
// is in the file, so a browser asks for each once. `--check` writes nothing, and fails where dist is not what would be made.

import { realpathSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** @typedef {import('esbuild').BuildOptions} BuildOptions */
/** @typedef {import('esbuild').Metafile} Metafile */

export const WEB = fileURLToPath(new URL('../../client/web', import.meta.url));
const MAIN = 'main.tsx';
/** What runs before all else, alone: it asks for the texts while the rest is on its way. */
const EARLY = 'firstLook.ts';
/** What the first page loads by itself, once it can be used. */
const NEXT = 'lobby/lists.tsx';
const SHEET = 'page.css';
/** What views need that are loaded when somebody goes there. */
const VIEWS = 'views.css';
const SOURCE = /\.tsx?$/;
/** A module that loads it shows a board. */
const BOARD = 'board/board.ts';
const TEXTS = 'i18n/texts';
/** What the terminal says in the same words. */
const SHARED_TEXTS = 'i18n/shared';

/** @type {BuildOptions} */
export const OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  outdir: 'dist',
  metafile: true,
  write: false,
  logLevel: 'error',
  jsx: 'transform',
  jsxFactory: 'jsxElement',
  jsxFragment: 'jsxFragment',
};
/** What stands before the name of a file of a library. */
const LIBRARY = 'library:';
const LIBRARIES = realpathSync(fileURLToPath(new URL('node_modules', import.meta.url)));

/** All files of dist by their names. @param {string} web the folder of the sources @returns {Promise<Map<string, Buffer>>} */
export async function bundle(web) {
  const modules = await moduleGraph(web);
  const languages = (await readdir(path.join(web, TEXTS))).filter((name) => name.endsWith('.json')).sort();
  const texts = languages.map((name) => `${TEXTS}/${name}`);
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    absWorkingDir: web,
    entryPoints: [EARLY, MAIN, ...modules.lazy, SHEET, VIEWS, ...texts].map((file) => ({
      in: file,
      out: outName(file),
    })),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    minify: true,
    legalComments: 'inline',
    sourcemap: true,
    plugins: [gather(web, modules.together), wholeTexts(web), markup, libraries],
  });
  const files = new Map(outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]));
  const [page, favicon] = await Promise.all(
    ['index.html', 'favicon.svg'].map((name) => readFile(path.join(web, name))),
  );
  // It only imports what index.html asks for itself.
  for (const end of ['', '.map']) files.delete(path.basename(made(metafile, EARLY)) + end);
  files.set('favicon.svg', favicon);
  files.set('licences.txt', Buffer.from(await licences(metafile)));
  files.set('index.html', Buffer.from(withNames(page.toString(), favicon.toString(), texts, metafile)));
  return files;
}

/** What the authors of the libraries ask those to repeat who pass them on. @param {Metafile} metafile */
async function licences(metafile) {
  const names = Object.keys(metafile.inputs)
    .filter((file) => file.startsWith(LIBRARY))
    .map((file) => file.slice(LIBRARY.length).match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? '');
  const texts = [...new Set(names)].sort().map(async (name) => {
    const folder = path.join(LIBRARIES, name);
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each)) ?? '';
    return `${name}\n\n${(await readFile(path.join(folder, file), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join('\n\n');
}

/** One module and all that it imports as one script, for tests that call it. @param {string} web @param {string} file */
export async function moduleScript(web, file) {
  const { outputFiles } = await build({
    ...OPTIONS,
    absWorkingDir: web,
    entryPoints: [file],
    splitting: false,
    plugins: [markup, libraries],
  });
  return outputFiles[0].text;
}

/** `room/view.ts` is `room-view-HASH.js`, a language `texts-de-HASH.json`. @param {string} file */
function outName(file) {
  const { dir, name } = path.posix.parse(file);
  return [...(dir === TEXTS ? ['texts'] : dir ? dir.split('/') : []), name].join('-');
}

/**
 * Which modules are loaded when somebody asks for them, and what an entry is loaded together with.
 *
 * esbuild makes one file of all modules that the same entries lead to: dozens of files. So every entry leads to what the
 * first page loads, each that needs some of it to what later ones share, and those that show a board to what only such
 * ones share.
 * @param {string} web
 */
async function moduleGraph(web) {
  const { metafile } = await build({
    ...OPTIONS,
    absWorkingDir: web,
    entryPoints: [MAIN],
    plugins: [markup, libraries],
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const asked = imports.filter((one) => one.kind === 'dynamic-import' && SOURCE.test(one.path));
  const lazy = [...new Set(asked.map((one) => one.path))].sort();
  const leads = new Map([MAIN, ...lazy].map((entry) => [entry, imported(metafile, entry)]));
  const users = (/** @type {string} */ file) => lazy.filter((entry) => leads.get(entry)?.has(file));
  const boards = users(BOARD);
  const shared = Object.keys(metafile.inputs).filter((file) => users(file).length > 1);
  const isForBoards = (/** @type {string} */ file) => users(file).every((entry) => boards.includes(entry));
  const first = new Set([...(leads.get(MAIN) ?? []), ...shared.filter((file) => leads.get(NEXT)?.has(file))]);
  const later = shared.filter((file) => !first.has(file) && !isForBoards(file));
  const needed = (/** @type {string} */ entry) => {
    if (boards.includes(entry)) return new Set([...first, ...shared]);
    return new Set([...first, ...(later.some((file) => leads.get(entry)?.has(file)) ? later : [])]);
  };
  const entries = [...leads].filter(([, files]) => files.size > 0).map(([entry]) => entry);
  return { lazy, together: new Map(entries.map((entry) => [entry, [...(entry === MAIN ? first : needed(entry))]])) };
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
      onResolve({ filter: SOURCE }, ({ path: asked, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' && kind !== 'entry-point') return null;
        const file = path.relative(web, path.join(resolveDir, asked)).replaceAll(path.sep, '/');
        return together.has(file) ? { path: file, namespace } : null;
      });
      onLoad({ filter: SOURCE, namespace }, ({ path: file }) => {
        const imports =
          together.get(file)?.map((other) => `import '${other.startsWith(LIBRARY) ? other : `./${other}`}';`) ?? [];
        return { contents: [...imports, `export * from './${file}';`].join('\n'), resolveDir: web };
      });
    },
  };
}

/**
 * The page's libraries are those beside this file; maps name them without where that is.
 * @type {import('esbuild').Plugin}
 */
export const libraries = {
  name: 'libraries',
  setup({ onLoad, onResolve }) {
    const namespace = LIBRARY.slice(0, -1);
    onResolve({ filter: /^[^./]/ }, async ({ path: asked, kind }) => {
      if (kind === 'entry-point') return null;
      if (asked.startsWith(LIBRARY)) return { path: asked.slice(LIBRARY.length), namespace };
      return { path: await libraryFile(asked), namespace };
    });
    onLoad({ filter: /./, namespace }, async ({ path: file }) => ({
      contents: await readFile(path.join(LIBRARIES, file)),
      loader: file.endsWith('.css') ? 'css' : 'js',
    }));
  },
};

/**
 * What markup becomes: a call with the children after one another is shorter than one with a list of them. The import
 * stands last, so that lines stay where they are.
 * @type {import('esbuild').Plugin}
 */
export const markup = {
  name: 'markup',
  setup({ onLoad }) {
    const imported = "import { createElement as jsxElement, Fragment as jsxFragment } from 'preact';";
    onLoad({ filter: /\.tsx$/, namespace: 'file' }, async ({ path: file }) => ({
      contents: `${await readFile(file, 'utf8')}\n${imported}\n`,
      loader: 'tsx',
    }));
  },
};

/** A library without `exports` names its module for bundlers apart from what node loads. @param {string} asked */
async function libraryFile(asked) {
  const described = await readFile(path.join(LIBRARIES, asked, 'package.json'), 'utf8').then(JSON.parse, () => ({}));
  if (described.module && !described.exports) return path.posix.join(asked, described.module);
  return path.relative(LIBRARIES, fileURLToPath(import.meta.resolve(asked))).replaceAll(path.sep, '/');
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

/** The file that was made of an entry. @param {Metafile} metafile @param {string} source */
function made(metafile, source) {
  const extension = SOURCE.test(source) ? '.js' : path.extname(source);
  const starts = `dist/${outName(source)}-`;
  return Object.keys(metafile.outputs).find((name) => name.startsWith(starts) && name.endsWith(extension)) ?? '';
}

/**
 * index.html with its icon and the names of what it loads.
 * @param {string} page @param {string} favicon @param {string[]} texts @param {Metafile} metafile
 */
function withNames(page, favicon, texts, metafile) {
  const address = (/** @type {string} */ output) => output.replace('dist/', '/static/');
  const scripts = [EARLY, MAIN].flatMap((entry) =>
    metafile.outputs[made(metafile, entry)].imports
      .filter((one) => one.kind === 'import-statement')
      .map((one) => one.path),
  );
  /** @type {Record<string, string>} */
  const names = {
    languages: texts.map((file) => `${path.parse(file).name}=${address(made(metafile, file))}`).join(' '),
    favicon: `data:image/svg+xml,${encodeURIComponent(favicon)}`,
    style: address(made(metafile, SHEET)),
    views: address(made(metafile, VIEWS)),
    first: [...new Set(scripts)].map((one) => `<script type="module" async src="${address(one)}"></script>`).join('\n'),
    main: address(made(metafile, MAIN)),
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
