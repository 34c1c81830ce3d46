// The button for playing on from a position, where that is possible.

import { isFinished } from '../board/finished.ts';
import { t } from '../i18n/language.ts';
import { loaded } from '../net/errors.ts';
import type { Rules } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { useApp } from '../ui/view.tsx';

/** @param moves up to the position, including the start; null if there is nothing to play on from */
export function PlayOn({ rules, moves }: { rules: Rules; moves: string[] | null }) {
  const app = useApp();
  if (moves === null || isFinished(rules, moves)) return null;
  const open = async () => {
    const { openPlayOn } = await loaded(import('./playOn.tsx')); // rarely needed
    await openPlayOn(app, { game: rules.id, start: moves });
  };
  return <Button say="playon.open" title={t('playon.open.meaning')} act={() => app.attempt(open)} />;
}
