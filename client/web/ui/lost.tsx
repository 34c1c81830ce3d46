// What stands in the place of a view that cannot be shown.

import { t } from '../i18n/language.ts';

/** @param again tries once more, where that may help */
export function Lost({ sentence, again }: { sentence: string; again?: () => void }) {
  return (
    <div class="lost">
      <h1 tabIndex={-1}>{t('page.nothing')}</h1>
      <p>{sentence}</p>
      <div class="submit-row">
        {again && (
          <button type="button" class="primary" onClick={again}>
            {t('page.again')}
          </button>
        )}
        <a class={again ? 'button' : 'button primary'} href="/">
          {t('page.to-lobby')}
        </a>
      </div>
    </div>
  );
}
