// The dialog that deletes all that is known of somebody. It asks twice.

import { useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import type { Player } from '../types/page.d.ts';
import { Complaint, DialogTitle, openDialog } from '../ui/dialog.tsx';
import * as settings from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';
import { named } from './words.ts';

export function openDeleting(app: App) {
  const { player, greetedWith } = app.connection;
  if (player) openDialog(app, (close) => <Deleting player={player} greetedWith={greetedWith} close={close} />);
}

function Deleting(props: { player: Player; greetedWith: string | null; close: () => void }) {
  const { player, greetedWith, close } = props;
  const app = useApp();
  const [sure, setSure] = useState(false);
  const [running, setRunning] = useState(false);
  const [complaint, setComplaint] = useState('');
  const remove = async () => {
    setRunning(true);
    try {
      await app.connection.request({ t: 'forget' }, player.id);
    } catch (error) {
      setComplaint((error as Error).message);
      setRunning(false);
      return;
    }
    close();
    // Another tab that saw it first is the new guest already.
    const left = settings.token();
    app.becomes(left === greetedWith ? null : left, t('identity.deleted'));
  };
  return (
    <div class="stack">
      <DialogTitle>{named('identity.delete.title', player.name)}</DialogTitle>
      <p>{t('identity.delete.goes')}</p>
      <p>{t('identity.delete.stays')}</p>
      <Complaint>{complaint}</Complaint>
      {sure ? (
        <div class="submit-row" key="sure">
          <span class="sure">{t('identity.delete.sure')}</span>
          <button type="button" class="primary" onClick={close} ref={(no) => no?.focus()}>
            {t('identity.delete.no')}
          </button>
          <button type="button" class="danger" disabled={running} onClick={() => void remove()}>
            {t('identity.delete.yes')}
          </button>
        </div>
      ) : (
        <div class="submit-row" key="first">
          <button type="button" class="danger" onClick={() => setSure(true)}>
            {t('identity.delete.first')}
          </button>
          <button type="button" onClick={close}>
            {t('identity.cancel')}
          </button>
        </div>
      )}
    </div>
  );
}
