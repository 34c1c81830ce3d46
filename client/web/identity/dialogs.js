// @ts-check
// Dialogs about who one is: moving a name to another device, becoming somebody here, taking one's games along,
// deleting all of it. A token is a secret: it stands in a link's fragment only, which no server is sent.

import { t } from '../i18n/language.js';
import { getJson } from '../net/catalog.js';
import { button, el, fill, personName, setText } from '../ui/dom.js';
import { copyField } from '../ui/links.js';
import { qrPicture } from '../ui/qr.js';
import * as settings from '../ui/settings.js';
import { fetchGames, saveAs } from './exporting.js';
import { removeIdentity, savedIdentities, saveIdentity } from './savedIdentities.js';
import { tokenIn, transferLink } from './transferLink.js';
import { named, stayedWords } from './words.js';

/** @typedef {import('../main.js').App} App */

/**
 * A modal dialog with a title.
 * @param {string} id @param {import('../types/page.js').Child} title
 * @param {...import('../types/page.js').Child} children
 */
function openDialog(id, title, ...children) {
  const dialog = el(
    'dialog',
    { 'aria-labelledby': id, onclose: () => void dialog.remove() },
    el('div', { class: 'stack' }, el('h2', { id, tabindex: -1 }, title), children),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** What the dialog about one's name offers besides: names kept here, and the other dialogs.
 * @param {App} app @param {() => void} close */
export function identityPart(app, close) {
  const others = savedIdentities();
  const go = (/** @type {(app: App) => unknown} */ open) => () => {
    close();
    open(app);
  };
  return [
    others.length > 0 &&
      el(
        'section',
        { class: 'stack', 'aria-labelledby': 'kept-title' },
        el('h3', { id: 'kept-title' }, t('identity.kept')),
        el(
          'ul',
          { class: 'kept' },
          others.map((one) =>
            el(
              'li',
              null,
              button(
                personName(one.name),
                go(() => openBecoming(app, one.token)),
                {
                  'aria-label': named('identity.become', one.name),
                },
              ),
            ),
          ),
        ),
      ),
    el(
      'div',
      { class: 'stack' },
      button(t('identity.move'), go(openMoving)),
      button(t('identity.export'), go(openExport)),
      button(t('identity.delete'), go(openDeleting), { class: 'danger' }),
    ),
  ];
}

/** @param {App} app */
export function openMoving(app) {
  const token = settings.token();
  const name = app.connection.player?.name;
  if (!token || !name) return;
  const link = transferLink(location.origin, token);
  const pasted = el('input', { type: 'text', 'aria-labelledby': 'paste-label', autocomplete: 'off', maxlength: 500 });
  const complaint = el('p', { class: 'bad', role: 'alert' });
  const paste = (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = tokenIn(pasted.value);
    if (!given) return setText(complaint, t('identity.no-link'));
    dialog.close();
    void openBecoming(app, given);
  };
  const dialog = openDialog(
    'move-title',
    t('identity.move'),
    el('p', null, named('identity.move.how', name)),
    el('p', { class: 'warning' }, t('identity.warning')),
    copyField(app, link, t('identity.link'), { share: false }),
    qrPicture(link, t('identity.qr')),
    el(
      'form',
      { novalidate: true, class: 'stack', onsubmit: paste },
      el('label', { id: 'paste-label', class: 'field' }, el('span', null, t('identity.paste')), pasted),
      complaint,
      el(
        'div',
        { class: 'submit-row' },
        el('button', { type: 'submit' }, t('identity.paste.use')),
        button(t('identity.close'), () => dialog.close()),
      ),
    ),
  );
}

/** Asks whether this browser is to be who the token belongs to. Resolves when the question is answered.
 * @param {App} app @param {string|null} token null where a link holds none @returns {Promise<void>} */
export async function openBecoming(app, token) {
  if (token === null) return app.fail(new Error(t('identity.no-link')));
  const own = settings.token();
  if (own !== null) await app.connection.ready();
  const old = own === null ? null : /** @type {string} */ (app.connection.player?.name);
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
  await new Promise((/** @type {(answered: void|Promise<void>) => void} */ resolve) => {
    const become = (/** @type {boolean} */ keep) => () => {
      dialog.close();
      const { greetedWith, player: me } = app.connection;
      // Another tab made this browser somebody else since: it is asked again, by the right name.
      if (settings.token() !== own || (own !== null && greetedWith !== own)) return resolve(openBecoming(app, token));
      removeIdentity(token);
      if (own !== null && keep) saveIdentity({ token: own, name: me?.name ?? /** @type {string} */ (old) });
      app.becomes(token, named('identity.became', player.name));
    };
    const stay = button(old === null ? t('identity.stay.new') : named('identity.stay', null, old), () =>
      dialog.close(),
    );
    const ways =
      old === null
        ? [button(named('identity.become', player.name), become(false), { class: 'primary' })]
        : [
            button(named('identity.become.keep', player.name, old), become(true), { class: 'primary' }),
            button(named('identity.become.drop', player.name, old), become(false)),
          ];
    const dialog = openDialog(
      'become-title',
      named('identity.become.title', player.name),
      el('p', null, named(old === null ? 'identity.become.first' : 'identity.become.how', player.name, old)),
      el('div', { class: 'stack' }, ways, stay),
    );
    dialog.addEventListener('close', () => resolve());
  });
}

/** Who a token belongs to, or in one sentence why that is not known. @param {string} token @param {string|null} old */
async function whose(token, old) {
  try {
    return { player: await getJson('/api/players/me', token), sentence: '' };
  } catch (error) {
    const unknown = /** @type {{status?: number}} */ (error).status === 401;
    return { player: null, sentence: stayedWords(unknown ? 'identity.unknown' : 'identity.not-asked', old) };
  }
}

export function openExport() {
  const token = settings.token();
  if (!token) return;
  let wanted = true;
  const status = el('p', { role: 'status' });
  const ways = ['jsonl', 'txt'].map((form) => button(t(`identity.export.${form}`), () => void run(form)));
  const dialog = openDialog(
    'export-title',
    t('identity.export'),
    el('p', null, t('identity.export.how')),
    el('div', { class: 'stack' }, ways),
    status,
    el(
      'div',
      { class: 'submit-row' },
      button(t('identity.close'), () => dialog.close()),
    ),
  );
  dialog.addEventListener('close', () => (wanted = false));

  /** @param {string} form */
  async function run(form) {
    for (const way of ways) way.disabled = true;
    try {
      const { parts, games } = await fetchGames(/** @type {string} */ (token), form, (count) => {
        if (count) setText(status, t('identity.export.so-far', { count }));
        return wanted;
      });
      if (!wanted) return;
      setText(status, games ? t('identity.export.done', { count: games }) : t('identity.export.none'));
      if (games) saveAs(`noughts-games.${form}`, parts);
    } catch {
      setText(status, t('identity.export.failed'));
    } finally {
      for (const way of ways) way.disabled = false;
    }
  }
}

/** Asks twice. @param {App} app */
export function openDeleting(app) {
  const { player, greetedWith } = app.connection;
  if (!player) return;
  const { id, name } = player;
  const complaint = el('p', { class: 'bad', role: 'alert' });
  const buttons = el('div', { class: 'submit-row' });
  const first = button(t('identity.delete.first'), () => second(), { class: 'danger' });
  const dialog = openDialog(
    'delete-title',
    named('identity.delete.title', name),
    el('p', null, t('identity.delete.goes')),
    el('p', null, t('identity.delete.stays')),
    complaint,
    buttons,
  );
  fill(
    buttons,
    first,
    button(t('identity.cancel'), () => dialog.close()),
  );

  function second() {
    const no = button(t('identity.delete.no'), () => dialog.close(), { class: 'primary' });
    const yes = button(t('identity.delete.yes'), () => void remove(yes), { class: 'danger' });
    fill(buttons, el('span', { class: 'sure' }, t('identity.delete.sure')), yes, no);
    no.focus();
  }

  /** @param {HTMLButtonElement} yes */
  async function remove(yes) {
    yes.disabled = true;
    try {
      await app.connection.request({ t: 'forget' }, id);
    } catch (error) {
      setText(complaint, /** @type {Error} */ (error).message);
      yes.disabled = false;
      return;
    }
    dialog.close();
    // Another tab that saw it first is the new guest already.
    const left = settings.token();
    app.becomes(left === greetedWith ? null : left, t('identity.deleted'));
  }
}
