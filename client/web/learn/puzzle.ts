// One puzzle while it is being solved: what the board shows, the last sentence, and the next focus. Pure.

import { sideAt } from '../board/position.ts';
import { t } from '../i18n/language.ts';
import { capital, spokenMove } from '../i18n/moveWords.ts';
import type { Marks } from '../types/page.d.ts';
import type { Table } from './position.ts';

export type Turn = {
  right: Record<string, { reply: string; turn: Turn } | null>;
  refute: string | null;
  except: Record<string, string>;
};

export type Puzzle = {
  moves: string[];
  kind: 'win' | 'save';
  plies: number;
  alone: boolean;
  difficulty: number;
  source: { game: number; x?: string; o?: string };
  turn: Turn;
};

export type Solving = {
  moves: string[];
  /** null once it is solved or its solution was shown */
  turn: Turn | null;
  /** How many moves on the board are a wrong move and its refutation. */
  wrong: number;
  pointed: string[];
  told: string;
  /** What takes the keyboard focus. */
  focus: 'board' | 'retry' | 'next' | 'task' | null;
};

/** How many cells a hint narrows the move down to. */
const HINTED = 4;

export function begun({ moves, turn }: Puzzle): Solving {
  return { moves, turn, wrong: 0, pointed: [], told: '', focus: null };
}

/** After the reader's move; `solved` if it was the last. */
export function played(puzzle: Puzzle, at: Solving, cell: string, table: Table, marks: Marks): Solving {
  const { turn } = at;
  if (!turn || at.wrong) return at;
  const names = namesOf(puzzle, marks);
  const move = capital(spokenMove(cell));
  if (!(cell in turn.right)) return refuted(puzzle, at, turn, cell, table, marks);
  const answer = turn.right[cell];
  if (!answer) {
    const told = t(puzzle.kind === 'win' ? 'learn.solved' : 'learn.saved', { move, ...names });
    return { ...begun(puzzle), moves: [...at.moves, cell], turn: null, told, focus: 'next' };
  }
  const told = t('learn.right', { move, reply: spokenMove(answer.reply), ...names });
  return { ...at, moves: [...at.moves, cell, answer.reply], turn: answer.turn, pointed: [], told, focus: null };
}

function refuted(puzzle: Puzzle, at: Solving, turn: Turn, cell: string, table: Table, marks: Marks): Solving {
  const after = table.after([...at.moves, cell]);
  const reply = after.toMove ? (turn.except[cell] ?? turn.refute) : null;
  const moves = reply ? [...after.moves, reply] : after.moves;
  const values = {
    move: capital(spokenMove(cell)),
    reply: reply ? spokenMove(reply) : '',
    ...namesOf(puzzle, marks),
  };
  const why = () => {
    if (!reply) return t('learn.wrong.end', values);
    if (table.after(moves).winner) return t('learn.wrong.lost', values);
    if (puzzle.kind === 'save') return t('learn.wrong.saved-not', values);
    if (puzzle.alone && turn === puzzle.turn) return t('learn.wrong.gone', values);
    const made = at.moves.length - puzzle.moves.length;
    return t('learn.wrong.late', { ...values, count: (puzzle.plies + 1 - made) / 2 });
  };
  return { ...at, moves, wrong: reply ? 2 : 1, pointed: [], told: why(), focus: 'retry' };
}

export function takenBack(puzzle: Puzzle, at: Solving, marks: Marks): Solving {
  const moves = at.moves.slice(0, at.moves.length - at.wrong);
  return { ...at, moves, wrong: 0, told: taskWords(puzzle, marks), focus: 'board' };
}

export function hinted(puzzle: Puzzle, at: Solving, table: Table, marks: Marks): Solving {
  if (!at.turn) return at;
  const { legal } = table.after(at.moves);
  const place = legal.indexOf(Object.keys(at.turn.right)[0]);
  const among = Math.min(HINTED, legal.length);
  const from = Math.max(0, Math.min(place - (place % among), legal.length - among));
  const pointed = legal.slice(from, from + among);
  const told = t('learn.hinted', { cells: pointed.map(spokenMove).join(', '), ...namesOf(puzzle, marks) });
  return { ...at, pointed, told, focus: null };
}

/** The main line, played to its end. */
export function shown(puzzle: Puzzle, marks: Marks): Solving {
  const line: string[] = [];
  for (let turn: Turn | null = puzzle.turn; turn; ) {
    const [move, answer]: [string, { reply: string; turn: Turn } | null] = Object.entries(turn.right)[0];
    line.push(move, ...(answer ? [answer.reply] : []));
    turn = answer?.turn ?? null;
  }
  const first = puzzle.moves.length;
  const words = line.map((move, i) => `${marks[sideAt(first + i)]} ${spokenMove(move)}`).join(', ');
  const told = t('learn.shown', { line: words });
  return { ...begun(puzzle), moves: [...puzzle.moves, ...line], turn: null, told, focus: 'next' };
}

/** The task. */
export function taskWords(puzzle: Puzzle, marks: Marks) {
  const names = namesOf(puzzle, marks);
  if (puzzle.kind === 'save') return t('learn.task.save', names);
  return t('learn.task.win', { ...names, count: (puzzle.plies + 1) / 2 });
}

/** The marks of the side that solves and of the other. */
function namesOf(puzzle: Puzzle, marks: Marks) {
  const side = sideAt(puzzle.moves.length);
  return { side: marks[side], other: marks[side === 'x' ? 'o' : 'x'] };
}
