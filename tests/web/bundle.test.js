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
