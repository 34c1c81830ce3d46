// The dialog that asks whether this browser is to be who a token belongs to.

import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { getJson } from '../net/catalog.ts';
import { DialogTitle, openDialog } from '../ui/dialog.tsx';
import * as settings from '../ui/settings.ts';
import { removeIdentity, saveIdentity } from './savedIdentities.ts';
import { named, stayedWords } from './words.ts';

/** Resolves when the question is answered. @param token null where a link holds none */
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
    app.fail(new Error(named('identity.become.already', player.name)));
    return;
  }
  await new Promise((resolve: (answered: void | Promise<void>) => void) => {
    const become = (keep: boolean) => {
      dialog.close();
      const { greetedWith, player: me } = app.connection;
      // Another tab made this browser somebody else since: it is asked again, by the right name.
      if (settings.token() !== own || (own !== null && greetedWith !== own)) return resolve(openBecoming(app, token));
      removeIdentity(token);
      if (own !== null && keep) saveIdentity({ token: own, name: me?.name ?? (old as string) });
      app.becomes(token, named('identity.became', player.name));
    };
    const dialog = openDialog(app, (close) => <Question name={player.name} old={old} become={become} stay={close} />);
    dialog.addEventListener('close', () => resolve());
  });
}

/** @param old who one is until now; null where one is nobody yet */
function Question(props: { name: string; old: string | null; become: (keep: boolean) => void; stay: () => void }) {
  const { name, old, become, stay } = props;
  return (
    <div class="stack">
      <DialogTitle>{named('identity.become.title', name)}</DialogTitle>
      <p>{named(old === null ? 'identity.become.first' : 'identity.become.how', name, old)}</p>
      <div class="stack">
        <button type="button" class="primary" onClick={() => become(old !== null)}>
          {old === null ? named('identity.become', name) : named('identity.become.keep', name, old)}
        </button>
        {old !== null && (
          <button type="button" onClick={() => become(false)}>
            {named('identity.become.drop', name, old)}
          </button>
        )}
        <button type="button" onClick={stay}>
          {old === null ? t('identity.stay.new') : named('identity.stay', null, old)}
        </button>
      </div>
    </div>
  );
}

/** Who a token belongs to, or in one sentence why that is not known. */
async function whose(token: string, old: string | null) {
  try {
    return { player: await getJson('/api/players/me', token), sentence: '' };
  } catch (error) {
    const unknown = (error as { status?: number }).status === 401;
    return { player: null, sentence: stayedWords(unknown ? 'identity.unknown' : 'identity.not-asked', old) };
  }
}
