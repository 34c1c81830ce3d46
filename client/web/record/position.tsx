// The board of a record between its players, and the controls that step through the moves.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Picture } from '../board/board.ts';
import { BoardFrame } from '../board/frame.ts';
import { sideAt } from '../board/position.ts';
import { t } from '../i18n/language.ts';
import type { Side } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { isModified, listen } from '../ui/listen.ts';
import { Mark } from '../ui/mark.tsx';
import { PlayerLink } from '../ui/names.tsx';
import { marks } from '../ui/settings.ts';
import { Hosted } from '../ui/view.tsx';
import type { Replay } from './replay.ts';

/** On a grid of 24. */
const ICONS = {
  first: 'M7 6v12M18 6l-6 6 6 6',
  back: 'M15 6l-6 6 6 6',
  play: 'M9 5.5v13l10-6.5z',
  pause: 'M9 6v12M15 6v12',
  on: 'M9 6l6 6-6 6',
  last: 'M17 6v12M6 6l6 6-6 6',
};

export function Position({ replay }: { replay: Replay }) {
  const frame = useRef<BoardFrame>(undefined);
  frame.current ??= new BoardFrame(replay.rules, { onplay: () => {} });
  const { picture, imagined } = replay.seen();
  useLayoutEffect(() => frame.current?.update(picture));
  return (
    <div class={`board-area${imagined ? ' imagined' : ''}`}>
      <div class="stage">
        <PlayerBar replay={replay} side="o" picture={picture} />
        <Hosted class="board-place" node={frame.current.node} />
        <PlayerBar replay={replay} side="x" picture={picture} />
        <Steps replay={replay} />
        <Where replay={replay} moves={picture.marks.size} imagined={imagined} over={picture.over} />
        <Hosted node={frame.current.tools} />
      </div>
    </div>
  );
}

/** The winner is revealed only at the end. */
function PlayerBar({ replay, side, picture }: { replay: Replay; side: Side; picture: Picture }) {
  const { winner, termination, [side]: player } = replay.record.value;
  const drawn = termination && !winner && termination !== 'aborted';
  const points = winner === side ? '1' : drawn ? '½' : winner ? '0' : '';
  const now = picture.over && winner === side ? ' winner' : picture.mover === side ? ' to-move' : '';
  return (
    <div class={`bar side-${side}${now}`}>
      <span class="bar-mark">
        <Mark side={side} />
      </span>
      <span class="bar-who">
        <PlayerLink player={player} />
      </span>
      <b class="points" aria-hidden="true">
        {picture.over && points}
      </b>
    </div>
  );
}

function Steps({ replay }: { replay: Replay }) {
  const ply = replay.ply.value;
  const playing = replay.playing.value;
  useLayoutEffect(() => listen(document, { keydown: (event: KeyboardEvent) => stepByKey(replay, event) }), []);
  return (
    <div class="steps">
      <Step does="first" act={() => replay.go(0)} />
      <Step does="back" act={() => replay.go(ply - 1)} />
      <Step does={playing ? 'pause' : 'play'} act={() => replay.toggle()} />
      <Step does="on" act={() => replay.go(ply + 1)} />
      <Step does="last" act={() => replay.go(replay.last)} />
      <input
        type="range"
        min={0}
        max={replay.last}
        value={ply}
        aria-label={t('record.slider')}
        aria-valuetext={replay.place()}
        onInput={(event) => replay.go(Number(event.currentTarget.value))}
      />
    </div>
  );
}

function Step({ does, act }: { does: keyof typeof ICONS; act: () => void }) {
  const label = t(`record.${does}`);
  return (
    <Button aria-label={label} title={label} act={act}>
      <svg class={`icon ${does === 'play' ? '' : 'line'}`} viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[does]} />
      </svg>
    </Button>
  );
}

/** @param moves on the board, including the start and imagined moves */
function Where({ replay, moves, imagined, over }: { replay: Replay; moves: number; imagined: number; over: boolean }) {
  const place = over ? replay.place() : t('record.to-move', { place: replay.place(), mark: marks()[sideAt(moves)] });
  return <p class="steps-under muted">{imagined ? t('record.beyond', { count: imagined }) : place}</p>;
}

/** Not where something has keys of its own: arrow keys move over the board, where Space does nothing. */
function stepByKey(replay: Replay, event: KeyboardEvent) {
  if (event.defaultPrevented || isModified(event)) return;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest('input, select, textarea, dialog')) return;
  if (event.key === ' ' ? target.closest('button:not(.cell, .cube-cell), a, summary') : target.closest('.board'))
    return;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => replay.go(replay.ply.value - 1),
    ArrowRight: () => replay.go(replay.ply.value + 1),
    Home: () => replay.go(0),
    End: () => replay.go(replay.last),
    ' ': () => replay.toggle(),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault(); // the page does not scroll
  act();
}
