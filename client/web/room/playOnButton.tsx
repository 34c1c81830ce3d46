// The button that leads on from a position of a game, where there is one to play on from.

import { isFinished } from '../board/finished.ts';
import { t } from '../i18n/language.ts';
import { loaded } from '../net/errors.ts';
import type { Rules } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { useApp } from '../ui/view.tsx';

/** @param moves to the position, the start included; null where none is to be offered */
export function PlayOn({ rules, moves }: { rules: Rules; moves: string[] | null }) {
  const app = useApp();
  if (moves === null || isFinished(rules, moves)) return null;
  const open = async () => {
    const { openPlayOn } = await loaded(import('./playOn.tsx')); // seldom needed
    await openPlayOn(app, { game: rules.id, start: moves });
  };
  return <Button say="playon.open" title={t('playon.open.meaning')} act={() => app.attempt(open)} />;
}
