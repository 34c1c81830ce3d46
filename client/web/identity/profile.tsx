// The dialog for the player's name and marks.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { playerPath } from '../net/address.ts';
import { AnotherPlayer, ServerError } from '../net/connection.ts';
import { loaded } from '../net/errors.ts';
import { Button } from '../ui/button.tsx';
import { Complaint, DialogTitle, openDialog } from '../ui/dialog.tsx';
import { Field } from '../ui/fields.tsx';
import { characters, marks, setMarks } from '../ui/settings.ts';
import { useLoading } from '../ui/unloaded.tsx';
import { useApp } from '../ui/view.tsx';

const MAX_NAME = 20;
const COMPLAINT = 'profile-name-complaint';

export function openProfile(app: App) {
  const dialog = openDialog(app, (close) => [
    <ProfileForm key="form" close={close} isOpen={() => dialog.open} />,
    <MoreIdentity key="more" close={close} />,
  ]);
}

function ProfileForm({ close, isOpen }: { close: () => void; isOpen: () => boolean }) {
  const app = useApp();
  const [me] = useState(app.connection.player?.id);
  const [name, setName] = useState(app.connection.player?.name ?? '');
  const [chosen, setChosen] = useState(marks);
  const [wrongName, setWrongName] = useState('');
  const [wrongMarks, setWrongMarks] = useState('');
  const saving = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  const refuseName = (sentence: string) => {
    setWrongName(sentence);
    field.current?.focus();
  };

  const submit = async (event: Event) => {
    event.preventDefault();
    if (saving.current) return;
    setWrongName('');
    setWrongMarks('');
    const wanted = name.trim().normalize('NFC');
    if (!wanted || characters(wanted) > MAX_NAME) return refuseName(t('profile.name.wrong', { most: MAX_NAME }));
    const wrong = setMarks(chosen.x, chosen.o);
    if (wrong) return setWrongMarks(wrong);
    if (me !== undefined && me !== app.connection.player?.id) {
      close();
      return app.fail(new AnotherPlayer());
    }
    if (wanted === app.connection.player?.name || (await rename(wanted))) close();
  };

  /** Whether the server accepted the name: until then the typed one stays. */
  const rename = async (wanted: string) => {
    saving.current = true;
    try {
      await app.connection.rename(wanted);
    } catch (error) {
      if (isOpen()) refuseName((error as Error).message);
      else app.fail(error);
      return false;
    } finally {
      saving.current = false;
    }
    if (app.noticed instanceof ServerError && app.noticed.code === 'bad_name') app.clearNotice();
    return true;
  };

  const mark = (side: 'x' | 'o') => (
    <Field label={t(`profile.for-${side}`)}>
      <input
        type="text"
        class={`mark-input mark-${side}`}
        autocomplete="off"
        value={chosen[side]}
        onInput={(event) => setChosen({ ...chosen, [side]: event.currentTarget.value })}
      />
    </Field>
  );

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <DialogTitle>{t('profile.title')}</DialogTitle>
      <Field label={t('profile.name')}>
        <input
          ref={field}
          type="text"
          maxLength={40}
          autocomplete="nickname"
          aria-describedby={COMPLAINT}
          aria-invalid={wrongName ? 'true' : undefined}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <Complaint id={COMPLAINT}>{wrongName}</Complaint>
      <p class="muted">{t('profile.marks')}</p>
      <div class="field-row">
        {mark('x')}
        {mark('o')}
      </div>
      <Complaint>{wrongMarks}</Complaint>
      <div class="submit-row">
        <Button say="profile.save" type="submit" class="primary" />
        <Button say="profile.cancel" act={close} />
        {me && (
          <a class="button quiet" href={playerPath(me)} onClick={close}>
            {t('profile.page')}
          </a>
        )}
        <Button say="profile.reset" class="quiet" act={() => setChosen({ x: 'X', o: 'O' })} />
      </div>
    </form>
  );
}

/** Rarely needed, so loaded on demand. */
function MoreIdentity({ close }: { close: () => void }) {
  const { answer: more, error } = useLoading(() => loaded(import('./identityPart.tsx')), []);
  return (
    <div class="identity stack">
      {more && <more.IdentityPart close={close} />}
      {error && <Complaint>{error.message}</Complaint>}
    </div>
  );
}
