import assert from 'node:assert/strict';
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bundle, differences, WEB, write } from './bundle.js';

const made = await bundle(WEB);

/** The page's sources in another place. @param {import('node:test').TestContext} context */
async function copied(context) {
  const folder = await mkdtemp(path.join(tmpdir(), 'noughts bundle-'));
  context.after(() => rm(folder, { recursive: true }));
  await cp(WEB, folder, { recursive: true, filter: (name) => path.basename(name) !== 'dist' });
  return folder;
}

test('the same sources make the same files anywhere', async (context) => {
  const elsewhere = await bundle(await copied(context));
  assert.deepEqual([...elsewhere.keys()].sort(), [...made.keys()].sort());
  for (const [name, contents] of elsewhere) assert.ok(contents.equals(made.get(name)), name);
});

test('one more file of texts is one more language', async (context) => {
  const web = await copied(context);
  for (const folder of ['texts', 'shared'])
    await copyFile(`${web}/i18n/${folder}/en.json`, `${web}/i18n/${folder}/fr.json`);
  const [index, before] = [await bundle(web), made].map((files) => files.get('index.html').toString());
  const added = index.match(/ fr=\/static\/texts-fr-[0-9A-Z]{8}\.json/)[0];
  assert.equal(index.replace(added, ''), before);
});

test('what differs from its sources is named', async (context) => {
  const dist = path.join(await copied(context), 'dist');
  const files = new Map([
    ['kept', Buffer.from('1')],
    ['changed', Buffer.from('2')],
  ]);
  assert.deepEqual(await differences(files, dist), ['changed', 'kept']);
  await write(files, dist);
  assert.deepEqual(await differences(files, dist), []);
  files.set('changed', Buffer.from('3'));
  assert.deepEqual(await differences(files, dist), ['changed']);
  await write(new Map([['kept', Buffer.from('1')]]), dist);
  assert.deepEqual(await differences(files, dist), ['changed']);
  await write(new Map([...files, ['left over', Buffer.from('4')]]), dist);
  assert.deepEqual(await differences(files, dist), ['left over']);
});

/** The scripts that the page loads at once, with the sources that each was made of. */
function firstScripts() {
  const names = [
    ...made
      .get('index.html')
      .toString()
      .matchAll(/src="\/static\/([^"]+)"/g),
  ].map((found) => found[1]);
  return names.map((name) => ({
    bytes: made.get(name).length,
    sources: JSON.parse(made.get(`${name}.map`).toString()).sources.map((/** @type {string} */ file) => file.slice(3)),
  }));
}

test('the first page loads only what it needs', () => {
  const sources = firstScripts().flatMap((script) => script.sources);
  assert.ok(sources.includes('lobby/view.tsx'));
  for (const later of [
    'lobby/create.tsx',
    'lobby/lists.tsx',
    'room/view',
    'record/',
    'ladder/',
    'ui/figures',
    'board/board',
  ])
    assert.ok(!sources.some((source) => source.startsWith(later)), `${later} is loaded at once`);
});

test('the texts are asked for by a script that comes before all else', () => {
  const [early] = firstScripts();
  assert.deepEqual(early.sources.sort(), ['firstLook.ts', 'i18n/textFile.ts', 'ui/preferences.ts', 'ui/storage.ts']);
  assert.ok(early.bytes < 3000);
});

/** A file and all that it imports at once, as text. @param {string} start of its name */
function loadedWith(start) {
  const names = new Set([...made.keys()].filter((name) => name.startsWith(start) && name.endsWith('.js')));
  assert.equal(names.size, 1, start);
  for (const name of names)
    for (const [, other] of made
      .get(name)
      .toString()
      .matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g))
      names.add(other);
  return [...names].map((name) => made.get(name).toString()).join('\n');
}

test('nobody loads the ladder or the library of charts who does not ask for it', () => {
  const [ladder, charts] = ['ladder.cross.meaning', 'u-over'];
  assert.ok(loadedWith('ladder-view').includes(ladder));
  assert.ok(loadedWith('ui-plot').includes(charts));
  for (const page of ['main', 'stats-view', 'ladder-player', 'record-view']) {
    assert.ok(!loadedWith(page).includes(ladder), page);
    assert.ok(!loadedWith(page).includes(charts), page);
  }
});
