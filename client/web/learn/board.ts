// A real board for a game that is played in the page only.

import { useRef } from 'preact/hooks';
import { BoardFrame } from '../board/frame.ts';
import { pictureOf } from '../board/position.ts';
import { aboutMove } from '../i18n/moveWords.ts';
import type { Rules } from '../types/page.d.ts';
import { marks, preferences } from '../ui/settings.ts';
import { Table } from './position.ts';

type Listeners = { onplay: (cell: string) => void; tell: (sentence: string) => void };

/** The one board of a component. */
export function useLearnBoard(rules: Rules, listeners: Listeners) {
  const latest = useRef(listeners);
  latest.current = listeners;
  const board = useRef<LearnBoard>(null);
  board.current ??= new LearnBoard(rules, {
    onplay: (cell) => latest.current.onplay(cell),
    tell: (sentence) => latest.current.tell(sentence),
  });
  return board.current;
}

export class LearnBoard {
  rules: Rules;
  table: Table;
  frame: BoardFrame;
  tell: (sentence: string) => void;
  /** The moves on the board. */
  moves: string[] = [];
  open = false;

  constructor(rules: Rules, { onplay, tell }: Listeners) {
    this.rules = rules;
    this.table = new Table(rules);
    this.tell = tell;
    this.frame = new BoardFrame(rules, {
      onplay,
      onrefused: (cell) => this.refused(cell),
      onchoose: (cell) => cell && tell(aboutMove('board.chosen', cell)),
      confirms: () => preferences().confirm,
    });
  }

  get node() {
    return this.frame.node;
  }

  /** @param open whether a move can be made */
  show(moves: string[], open: boolean, pointed: string[]) {
    const position = this.table.after(moves);
    this.moves = moves;
    this.open = open;
    this.frame.update({
      ...pictureOf(this.rules, moves, marks()),
      playable: new Set(open ? position.legal : []),
      mover: position.toMove,
      line: new Set(position.line),
      over: position.toMove === null,
      pointed: new Set(pointed),
    });
  }

  /** Puts a cell into the tab order. */
  stand(cell: string) {
    this.frame.stand(cell);
  }

  focus() {
    this.frame.focus();
  }

  refused(cell: string) {
    if (!this.open) return;
    const { marks: taken, forced } = this.table.after(this.moves);
    const key = taken.has(cell) ? 'learn.taken' : forced ? 'learn.elsewhere' : 'learn.closed';
    this.tell(aboutMove(key, cell, { board: forced }));
  }
}
