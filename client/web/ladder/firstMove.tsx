// What moving first is worth in a list.

import { joined, t } from '../i18n/language.ts';
import type { ListPageAnswer } from '../types/page.d.ts';
import { OutcomeBar } from '../ui/bars.tsx';
import { eloWords, outcomeWords, percentWords, shareAt, shareOfX } from '../ui/figures.ts';
import { Panel } from '../ui/view.tsx';
import { ofOpenings } from './words.ts';

export function FirstMove({ list }: { list: ListPageAnswer }) {
  const { x_won: x, drawn, o_won: o } = list;
  return (
    <Panel name="first" title={t('ladder.first')}>
      {x + drawn + o ? <Worth list={list} /> : <p class="empty">{t('ladder.nothing')}</p>}
    </Panel>
  );
}

function Worth({ list }: { list: ListPageAnswer }) {
  const { x_won: x, drawn, o_won: o, advantage, drawing } = list;
  const { share, low, high } = shareOfX(x, drawn, o);
  const points = { share: percentWords(share), low: percentWords(low), high: percentWords(high) };
  const worth =
    advantage !== null &&
    drawing !== null &&
    t('ladder.first.worth', { elo: eloWords(advantage), share: percentWords(shareAt(advantage, drawing)) });
  return (
    <>
      <OutcomeBar x={x} drawn={drawn} o={o} />
      <p>{t('ladder.first.results', outcomeWords({ x, drawn, o }))}</p>
      <p>{joined([t('ladder.first.points', points), worth])}</p>
      <p class="muted">{joined([ofOpenings(list.openings.length), t('ladder.first.fair')])}</p>
    </>
  );
}
