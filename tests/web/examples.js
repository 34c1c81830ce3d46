// What several tests begin with.

import { readFileSync } from 'node:fs';

/** Games by the engine's rules: tests/client/web/test_page_rules.py makes the file and tells what stands in it. */
export const { playthroughs, shares } = JSON.parse(readFileSync(new URL('playthroughs.json', import.meta.url), 'utf8'));

export const TICTACTOE = { id: 'tictactoe', name: '', sentences: [], dimensions: [3, 3], nested: false };
export const QUBIC = { id: 'qubic', name: '', sentences: [], dimensions: [4, 4, 4], nested: false };
export const GOMOKU = { id: 'gomoku', name: '', sentences: [], dimensions: [15, 15], nested: false };

/** @param {string} id */
export const nested = (id) => ({ id, name: '', sentences: [], dimensions: [3, 3, 3, 3], nested: true });

/** A room where Ann, who looks, plays X against Bob. @param {Record<string, unknown>} [game] what differs in its game */
export function aRoom(game = {}) {
  const seat = { kind: 'person', present: true };
  return {
    room: 'r',
    seq: 7,
    game: {
      serial: 1,
      id: 1,
      game: 'tictactoe',
      start: [],
      moves: [],
      to_move: 'x',
      legal: ['a1'],
      started: true,
      result: null,
      ...game,
    },
    seats: { x: { id: '1', name: 'Ann', ...seat }, o: { id: '2', name: 'Bob', ...seat } },
    clock: { x_ms: 1, o_ms: 1, running: 'x', initial_ms: 1 },
    ts: 0,
    offers: [],
    chat: [],
    spectators: 0,
    rated: false,
    you: 'x',
    thinking: null,
    searches: {},
  };
}

/** A text with plain spaces where it has no-break ones. */
export const spaced = (text) => text.replaceAll('\u00A0', ' ');
