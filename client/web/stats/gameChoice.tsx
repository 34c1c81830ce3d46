// Which kind of game a chart is of.

import { t } from '../i18n/language.ts';
import type { KindStats } from '../types/page.d.ts';
import { useApp } from '../ui/view.tsx';

export type Chosen = { kinds: KindStats[]; game: string; onChoose: (game: string) => void };

export function GameChoice({ kinds, game, onChoose }: Chosen) {
  const app = useApp();
  return (
    <label class="field">
      <span>{t('stats.of')}</span>
      <select value={game} onChange={(event) => onChoose(event.currentTarget.value)}>
        {kinds.map((kind) => (
          <option key={kind.game} value={kind.game}>
            {app.catalog.name(kind.game)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The first where the chosen one is not counted any more. */
export function chosenKind({ kinds, game }: Pick<Chosen, 'kinds' | 'game'>) {
  return kinds.find((kind) => kind.game === game) ?? kinds[0];
}
