// The dialog that saves all of one's games as a file.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { DialogTitle, openDialog } from '../ui/dialog.tsx';
import * as settings from '../ui/settings.ts';
import { fetchGames, saveAs } from './exporting.ts';

export function openExport(app: App) {
  const token = settings.token();
  if (token) openDialog(app, (close) => <Export token={token} close={close} />);
}

function Export({ token, close }: { token: string; close: () => void }) {
  const wanted = useRef(true);
  const [status, setStatus] = useState('');
  const [running, setRunning] = useState(false);
  useEffect(
    () => () => {
      wanted.current = false;
    },
    [],
  );
  const run = async (form: string) => {
    setRunning(true);
    try {
      const { parts, games } = await fetchGames(token, form, (count) => {
        if (count) setStatus(t('identity.export.so-far', { count }));
        return wanted.current;
      });
      if (!wanted.current) return;
      setStatus(games ? t('identity.export.done', { count: games }) : t('identity.export.none'));
      if (games) saveAs(`noughts-games.${form}`, parts);
    } catch {
      setStatus(t('identity.export.failed'));
    } finally {
      setRunning(false);
    }
  };
  return (
    <div class="stack">
      <DialogTitle>{t('identity.export')}</DialogTitle>
      <p>{t('identity.export.how')}</p>
      <div class="stack">
        {['jsonl', 'txt'].map((form) => (
          <button key={form} type="button" disabled={running} onClick={() => void run(form)}>
            {t(`identity.export.${form}`)}
          </button>
        ))}
      </div>
      <p role="status">{status}</p>
      <div class="submit-row">
        <button type="button" onClick={close}>
          {t('identity.close')}
        </button>
      </div>
    </div>
  );
}
