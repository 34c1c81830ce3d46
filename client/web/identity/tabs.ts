// Several tabs of one browser are one player: what one of them changes of who one is, and of how one likes to play,
// holds in the others at once.

import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import type { Connection } from '../net/connection.ts';
import type { Player } from '../types/page.d.ts';
import { monotonicMs } from '../ui/monotonicMs.ts';
import { show as showPreferences } from '../ui/preferences.ts';
import * as settings from '../ui/settings.ts';

/** So long a guest who did nothing yet is taken for one that several tabs, opened at once, made by mistake. */
const NEW_MS = 60_000;

export function followTabs(app: App) {
  const { connection } = app;
  /** Who the last greeting was for. */
  let greeted: string | null = null;

  /**
   * Takes over who another tab became. What it left is seen when the line breaks: whoever is deleted comes back as
   * somebody.
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

/** A new name is told to the other tabs: the server tells it where it is seen by others only. */
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

/** Null where the browser denies it, as some do with all storage: then tabs know each other's names late. */
function openChannel() {
  try {
    return new BroadcastChannel('noughts');
  } catch {
    return null;
  }
}
