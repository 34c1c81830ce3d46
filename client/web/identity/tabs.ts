// Tabs of one browser share one player: a change of identity or preferences in one applies to the others at once.

import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import type { Connection } from '../net/connection.ts';
import type { Player } from '../types/page.d.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { show as showPreferences } from '../ui/preferences.ts';
import * as settings from '../ui/settings.ts';

/** For this long, a guest without any action is taken for a duplicate made by several tabs opened at once. */
const NEW_MS = 60_000;

export function followTabs(app: App) {
  const { connection } = app;
  /** The player of the last greeting. */
  let greeted: string | null = null;

  /**
   * Adopts the identity that another tab changed to. A deleted player notices when the connection closes, and comes
   * back as a guest.
   */
  const checkToken = () => {
    const token = settings.token();
    if (!connection.player || token === null || token === connection.greetedWith) return;
    const isNew = connection.madeAt !== null && monotonicMs() - connection.madeAt < NEW_MS && !app.rooms.live.size;
    if (isNew) app.joins(token);
    else app.becomes(token, t('tabs.became'));
  };

  window.addEventListener('storage', (event) => {
    if (event.key === 'noughts.token') checkToken();
    settings.chosenAnew();
    showPreferences(document.documentElement, settings.preferences());
  });
  connection.addEventListener('open', () => {
    const id = connection.player?.id ?? null;
    const another = greeted !== null && id !== greeted && connection.greetings > 1;
    greeted = id;
    if (another) {
      app.rooms.reset();
      app.navigate('/');
      app.fail(t('tabs.became'));
    } else checkToken();
  });
  shareName(connection);
}

/** Tells the other tabs a new name: the server announces it only where other people see it. */
function shareName(connection: Connection) {
  const channel = openChannel();
  if (!channel) return;
  let told = '';
  connection.addEventListener('state', () => {
    const { player } = connection;
    if (!player || player.name === told) return;
    if (told) channel.postMessage({ id: player.id, name: player.name });
    told = player.name;
  });
  channel.addEventListener('message', ({ data }) => {
    const { player } = connection;
    if (player?.id !== data?.id || player?.name === data?.name || typeof data?.name !== 'string') return;
    connection.player = { ...(player as Player), name: data.name };
    told = data.name;
    connection.changed();
  });
}

/** Null where the browser denies it, as some do with all storage: then tabs learn names late. */
function openChannel() {
  try {
    return new BroadcastChannel('noughts');
  } catch {
    return null;
  }
}
