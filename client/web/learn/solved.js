// @ts-check
// The puzzles that were solved in this browser.

import { read, write } from '../ui/storage.js';

const MOST = 1000;

/** @returns {Set<string>} */
export function solved() {
  const list = read('solved');
  return new Set(Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []);
}

/** @param {string} name */
export function keepSolved(name) {
  write('solved', [...solved().add(name)].slice(-MOST));
}
