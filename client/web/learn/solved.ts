// The puzzles solved in this browser.

import { read, write } from '../ui/storage.ts';

const MOST = 1000;

export function solved(): Set<string> {
  const list = read('solved');
  return new Set(Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []);
}

export function keepSolved(name: string) {
  write('solved', [...solved().add(name)].slice(-MOST));
}
