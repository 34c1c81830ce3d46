// A game in a list: its position drawn small, who plays, and what is played. The whole card is one link.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { SmallBoard } from '../board/smallBoard.ts';
import type { SmallPosition } from '../board/smallPosition.ts';
import { playerName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import { ratingWords } from '../room/words.ts';
import type { Player, Rating, Rules, Side } from '../types/page.d.ts';
import { Mark } from '../ui/mark.tsx';
import { Name } from '../ui/names.tsx';
import { Hosted, useApp } from '../ui/view.tsx';

type Props = {
  href: string;
  /** what the link does, for those who do not see the board */
  verb: string;
  class?: string;
  game: string;
  position: (rules: Rules) => SmallPosition | null;
  children: ComponentChildren;
};

export function GameCard({ href, verb, game, position, children, ...rest }: Props) {
  return (
    <li class={`game-card ${rest.class ?? ''}`}>
      <a href={href}>
        <Board key={game} game={game} position={position} />
        <span class="spoken-only">{verb} </span>
        {children}
      </a>
    </li>
  );
}

/** Empty until the rules of the game are here. */
function Board({ game, position }: Pick<Props, 'game' | 'position'>) {
  const { catalog } = useApp();
  const rules = useSignal(catalog.known.get(game) ?? null);
  useEffect(() => {
    if (!rules.value)
      catalog.rules(game).then(
        (found) => (rules.value = found),
        () => {}, // told without its board
      );
  }, []);
  const known = rules.value;
  const board = useMemo(() => known && new SmallBoard(known), [known]);
  const shown = known && position(known);
  useLayoutEffect(() => {
    if (shown) board?.draw(shown);
  });
  return board && shown ? <Hosted class="card-board" node={board.node} /> : <div class="card-board" />;
}

/** One side of a card. */
export function CardName({
  side,
  player,
  toMove,
}: {
  side: Side;
  player: Player & { rating?: Rating | null };
  toMove: boolean;
}) {
  return (
    <span class={`card-name${toMove ? ' to-move' : ''}`}>
      <Mark side={side} /> <Name name={playerName(player)} />
      {player.kind === 'bot' && <BotTag />}
      {player.rating && <span class="card-rating"> {ratingWords(player.rating)}</span>}{' '}
    </span>
  );
}

/** Beside the name of a bot, so that nobody is taken for one by what they call themselves. */
export function BotTag() {
  return <small class="tag">{t('lobby.bot')}</small>;
}
