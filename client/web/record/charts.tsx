// The charts of a record: the value of a reviewed game, and what each move took.

import { t } from '../i18n/language.ts';
import { Chart } from '../ui/chart.tsx';
import { marks } from '../ui/settings.ts';
import { limitsOf, timesDrawn, timesSentence, valuesDrawn } from './chartSeries.ts';
import type { Replay } from './replay.ts';

export function Charts({ replay }: { replay: Replay }) {
  const record = replay.record.value;
  const moves = record.moves ?? [];
  if (!moves.length) return null;
  const judged = replay.judged.value;
  const at = replay.ply.value ? replay.ply.value - 1 : null;
  const choose = (index: number) => replay.go(index + 1);
  return (
    <>
      {judged.size > 0 && (
        <section class="panel values" aria-label={t('chart.value')}>
          <Chart
            label={t('chart.value.each')}
            {...valuesDrawn(judged, moves.length, marks())}
            at={at}
            onChoose={choose}
          >
            <h2>{t('chart.value')}</h2>
          </Chart>
        </section>
      )}
      <section class="panel times" aria-label={t('chart.time')}>
        <Chart label={t('chart.time.each')} {...timesDrawn(moves, limitsOf(record), marks())} at={at} onChoose={choose}>
          <h2>{t('chart.time')}</h2>
          <p class="muted times-caption">{timesSentence(moves, marks())}</p>
        </Chart>
      </section>
    </>
  );
}
