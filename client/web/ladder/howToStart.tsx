// What the ladder says where none has been played.

import type { ComponentChildren } from 'preact';
import { pieces, t } from '../i18n/language.ts';

export function HowToStart() {
  return (
    <div class="panel stack">
      <p>{t('ladder.none')}</p>
      <p>{t('ladder.none.start')}</p>
      <pre>
        <code>noughts ladder run ladders/overnight.toml</code>
      </pre>
      <p>
        {pieces<ComponentChildren>('ladder.none.records', { file: <code>noughts.db</code>, option: <code>--db</code> })}
      </p>
      <pre>
        <code>noughts serve --ladder ladders/overnight.toml</code>
      </pre>
      <p class="muted">{t('ladder.none.soon')}</p>
    </div>
  );
}
