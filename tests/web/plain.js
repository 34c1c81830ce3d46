// Prints each script of the page, by its name below client/web, as JavaScript without types and markup.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import { WEB } from './bundle.js';

const plain = async (/** @type {string} */ name) => {
  const source = await readFile(path.join(WEB, name), 'utf8');
  const { code } = await transform(source, { loader: 'tsx', jsx: 'automatic', charset: 'utf8' });
  return [name, code];
};

console.log(JSON.stringify(Object.fromEntries(await Promise.all(process.argv.slice(2).map(plain)))));
