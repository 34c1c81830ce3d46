// The dialog that moves a name to another device. A token is a secret: it stands in a link's fragment only, which no
// server is sent.

import { useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { CopyField } from '../ui/copyField.tsx';
import { Complaint, DialogTitle, openDialog } from '../ui/dialog.tsx';
import { QrCode } from '../ui/qrCode.tsx';
import { token } from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';
import { openBecoming } from './becoming.tsx';
import { tokenIn, transferLink } from './transferLink.ts';
import { named } from './words.ts';

export function openMoving(app: App) {
  const secret = token();
  const name = app.connection.player?.name;
  if (!secret || !name) return;
  const link = transferLink(location.origin, secret);
  openDialog(app, (close) => (
    <div class="stack">
      <DialogTitle>{t('identity.move')}</DialogTitle>
      <p>{named('identity.move.how', name)}</p>
      <p class="warning">{t('identity.warning')}</p>
      <CopyField link={link} label={t('identity.link')} share={false} />
      <QrCode text={link} label={t('identity.qr')} />
      <PasteForm close={close} />
    </div>
  ));
}

function PasteForm({ close }: { close: () => void }) {
  const app = useApp();
  const [pasted, setPasted] = useState('');
  const [complaint, setComplaint] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const given = tokenIn(pasted);
    if (!given) return setComplaint(t('identity.no-link'));
    close();
    void openBecoming(app, given);
  };
  return (
    <form noValidate class="stack" onSubmit={submit}>
      <label class="field">
        <span>{t('identity.paste')}</span>
        <input
          type="text"
          autocomplete="off"
          maxLength={500}
          value={pasted}
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
      </label>
      <Complaint>{complaint}</Complaint>
      <div class="submit-row">
        <button type="submit">{t('identity.paste.use')}</button>
        <button type="button" onClick={close}>
          {t('identity.close')}
        </button>
      </div>
    </form>
  );
}
