// What the dialog about one's name offers besides: names kept here, and the other dialogs.

import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { Name } from '../ui/names.tsx';
import { useApp } from '../ui/view.tsx';
import { openBecoming } from './becoming.tsx';
import { openDeleting } from './deleting.tsx';
import { openExport } from './exportDialog.tsx';
import { openMoving } from './moving.tsx';
import { savedIdentities } from './savedIdentities.ts';
import { named } from './words.ts';

export { openBecoming };

export function IdentityPart({ close }: { close: () => void }) {
  const app = useApp();
  const others = savedIdentities();
  const go = (open: (app: App) => unknown) => () => {
    close();
    open(app);
  };
  return (
    <>
      {others.length > 0 && (
        <section class="stack" aria-labelledby="kept-title">
          <h3 id="kept-title">{t('identity.kept')}</h3>
          <ul class="kept">
            {others.map((one) => (
              <li key={one.token}>
                <button
                  type="button"
                  aria-label={named('identity.become', one.name)}
                  onClick={go(() => openBecoming(app, one.token))}
                >
                  <Name name={one.name} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="stack">
        <button type="button" onClick={go(openMoving)}>
          {t('identity.move')}
        </button>
        <button type="button" onClick={go(openExport)}>
          {t('identity.export')}
        </button>
        <button type="button" class="danger" onClick={go(openDeleting)}>
          {t('identity.delete')}
        </button>
      </div>
    </>
  );
}
