// What players can do with their identity, each in its own dialog: move it to another device, become somebody else,
// save all games, delete them.

import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { getJson } from '../net/catalog.ts';
import type { Player } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copyField.tsx';
import { Complaint, DialogTitle, openDialog } from '../ui/dialog.tsx';
import { saveAs } from '../ui/download.ts';
import { Field } from '../ui/fields.tsx';
import { Name } from '../ui/names.tsx';
import { QrCode } from '../ui/qrCode.tsx';
import * as settings from '../ui/settings.ts';
import { token } from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';
import { fetchGames } from './exporting.ts';
import { openOwnBots } from './ownBots.tsx';
import { removeIdentity, savedIdentities, saveIdentity } from './savedIdentities.ts';
import { tokenIn, transferLink } from './transferLink.ts';

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
          <ul class="kept stack tight">
            {others.map((one) => (
              <li key={one.token}>
                <Button
                  aria-label={t('identity.become', { name: one.name })}
                  act={go(() => openBecoming(app, one.token))}
                >
                  <Name name={one.name} />
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div class="stack">
        <Button say="identity.move" act={go(openMoving)} />
        <Button say="identity.bots" act={go(openOwnBots)} />
        <Button say="identity.export" act={go(openExport)} />
        <Button say="identity.delete" class="danger" act={go(openDeleting)} />
      </div>
    </>
  );
}

function openMoving(app: App) {
  const secret = token();
  const name = app.connection.player?.name;
  if (!secret || !name) return;
  const link = transferLink(location.origin, secret);
  openDialog(app, (close) => (
    <div class="stack">
      <DialogTitle>{t('identity.move')}</DialogTitle>
      <p>{t('identity.move.how', { name })}</p>
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
      <Field label={t('identity.paste')}>
        <input
          type="text"
          autocomplete="off"
          maxLength={500}
          value={pasted}
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
      </Field>
      <Complaint>{complaint}</Complaint>
      <div class="submit-row">
        <Button say="identity.paste.use" type="submit" />
        <Button say="identity.close" act={close} />
      </div>
    </form>
  );
}

function openDeleting(app: App) {
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
    // Another tab that noticed first is already the new guest.
    const left = settings.token();
    app.becomes(left === greetedWith ? null : left, t('identity.deleted'));
  };
  return (
    <div class="stack">
      <DialogTitle>{t('identity.delete.title', { name: player.name })}</DialogTitle>
      <p>{t('identity.delete.goes')}</p>
      <p>{t('identity.delete.stays')}</p>
      <Complaint>{complaint}</Complaint>
      {sure ? (
        <div class="submit-row" key="sure">
          <span class="sure">{t('identity.delete.sure')}</span>
          <button type="button" class="primary" onClick={close} ref={(no) => no?.focus()}>
            {t('identity.delete.no')}
          </button>
          <Button say="identity.delete.yes" class="danger" disabled={running} act={remove} />
        </div>
      ) : (
        <div class="submit-row" key="first">
          <Button say="identity.delete.first" class="danger" act={() => setSure(true)} />
          <Button say="identity.cancel" act={close} />
        </div>
      )}
    </div>
  );
}

function openExport(app: App) {
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
      if (games) saveAs(new Blob(parts, { type: 'text/plain' }), `noughts-games.${form}`);
    } catch {
      setStatus(t('identity.export.failed'));
    } finally {
      setRunning(false);
    }
  };
  const saveBots = async () => {
    try {
      const bots = JSON.stringify(await getJson('/api/players/me/bots', token), null, 2);
      saveAs(new Blob([bots], { type: 'application/json' }), 'noughts-bots.json');
    } catch (error) {
      setStatus((error as Error).message);
    }
  };
  return (
    <div class="stack">
      <DialogTitle>{t('identity.export')}</DialogTitle>
      <p>{t('identity.export.how')}</p>
      <div class="stack">
        {['jsonl', 'txt'].map((form) => (
          <Button key={form} say={`identity.export.${form}`} disabled={running} act={() => run(form)} />
        ))}
        <Button say="identity.export.bots" act={saveBots} />
      </div>
      <p role="status">{status}</p>
      <div class="submit-row">
        <Button say="identity.close" act={close} />
      </div>
    </div>
  );
}

/** Resolves when the question is answered. @param token null if the link holds none */
export async function openBecoming(app: App, token: string | null): Promise<void> {
  if (token === null) return app.fail(new Error(t('identity.no-link')));
  const own = settings.token();
  if (own !== null) await app.connection.ready();
  const old = own === null ? null : (app.connection.player?.name as string);
  const { player, sentence } = await whose(token, old);
  if (!player) {
    removeIdentity(token);
    app.fail(new Error(sentence));
    return;
  }
  if (own !== null && player.id === app.connection.player?.id) {
    app.fail(new Error(t('identity.become.already', { name: player.name })));
    return;
  }
  await new Promise((resolve: (answered: void | Promise<void>) => void) => {
    const become = (keep: boolean) => {
      dialog.close();
      const { greetedWith, player: me } = app.connection;
      // Another tab changed this browser's identity meanwhile: ask again, with the right name.
      if (settings.token() !== own || (own !== null && greetedWith !== own)) return resolve(openBecoming(app, token));
      removeIdentity(token);
      if (own !== null && keep) saveIdentity({ token: own, name: me?.name ?? (old as string) });
      app.becomes(token, t('identity.became', { name: player.name }));
    };
    const dialog = openDialog(app, (close) => <Question name={player.name} old={old} become={become} stay={close} />);
    dialog.addEventListener('close', () => resolve());
  });
}

/** @param old the present player, or null */
function Question(props: { name: string; old: string | null; become: (keep: boolean) => void; stay: () => void }) {
  const { name, old, become, stay } = props;
  return (
    <div class="stack">
      <DialogTitle>{t('identity.become.title', { name })}</DialogTitle>
      <p>{t(old === null ? 'identity.become.first' : 'identity.become.how', { name, old })}</p>
      <div class="stack">
        <Button class="primary" act={() => become(old !== null)}>
          {old === null ? t('identity.become', { name }) : t('identity.become.keep', { name, old })}
        </Button>
        {old !== null && <Button act={() => become(false)}>{t('identity.become.drop', { name, old })}</Button>}
        <Button act={stay}>{old === null ? t('identity.stay.new') : t('identity.stay', { old })}</Button>
      </div>
    </div>
  );
}

/** The player that a token belongs to, or a sentence that says why that is unknown. */
async function whose(token: string, old: string | null) {
  try {
    return { player: await getJson('/api/players/me', token), sentence: '' };
  } catch (error) {
    const unknown = (error as { status?: number }).status === 401;
    return { player: null, sentence: stayedWords(unknown ? 'identity.unknown' : 'identity.not-asked', old) };
  }
}

/** Why the link was not accepted, and who the player still is. */
function stayedWords(key: string, old: string | null) {
  return old === null ? t(key) : `${t(key)} ${t('identity.as-before', { old })}`;
}
