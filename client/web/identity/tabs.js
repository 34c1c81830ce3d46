// @ts-check
// Several tabs of one browser are one player: what one of them changes of who one is, and of how one likes to play,
// holds in the others at once.

import { t } from '../i18n/language.js';
import { show as showPreferences } from '../ui/preferences.js';
import * as settings from '../ui/settings.js';

/** So long a guest who did nothing yet is taken for one that several tabs, opened at once, made by mistake. */
const NEW_MS = 60_000;

/** @param {import('../main.js').App} app */
export function followTabs(app) {
  const { connection } = app;
  /** Who the last greeting was for. @type {string|null} */
  let greeted = null;

  /**
   * Takes over who another tab became. What it left is seen when the line breaks: whoever is deleted comes back as
   * somebody.
   */
  const checkToken = () => {
    const token = settings.token();
    if (!connection.player || token === null || token === connection.greetedWith) return;
    const isNew = connection.madeAt !== null && performance.now() - connection.madeAt < NEW_MS && !app.rooms.live.size;
    if (isNew) app.joins(token);
    else app.becomes(token, t('tabs.became'));
  };

  window.addEventListener('storage', (event) => {
    // null: everything was cleared
    if (event.key === 'noughts.token') checkToken();
    if (event.key === 'noughts.marks' || event.key === null) app.dispatchEvent(new Event('marks'));
    if (event.key === 'noughts.preferences' || event.key === null) {
      showPreferences(document.documentElement, settings.preferences());
      app.dispatchEvent(new Event('preferences'));
    }
  });
  connection.addEventListener('open', () => {
    const id = connection.player?.id ?? null;
    const another = greeted !== null && id !== greeted && connection.greetings > 1;
    greeted = id;
    if (another) {
      app.closeDialogs();
      app.rooms.reset();
      app.navigate('/');
      app.fail(t('tabs.became'));
    } else checkToken();
  });
  shareName(connection);
}

/** A new name is told to the other tabs: the server tells it where it is seen by others only.
 * @param {import('../net/connection.js').Connection} connection */
function shareName(connection) {
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
    connection.player = { .../** @type {import('../types/page.js').Player} */ (player), name: data.name };
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
