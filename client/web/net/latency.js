// @ts-check
// The state of the connection at the foot of the page: how long the server takes to answer.

import { t } from '../i18n/language.js';
import { el, setText } from '../ui/dom.js';

/** @param {import('./connection.js').Connection} connection */
export function latencyNote(connection) {
  const node = el('small', { class: 'muted delay' });
  const tell = () =>
    setText(
      node,
      connection.state !== 'open'
        ? t('delay.none')
        : connection.lag_ms
          ? t('delay.words', { ms: connection.lag_ms })
          : '',
    );
  connection.addEventListener('state', tell);
  connection.addEventListener('delay', tell);
  return node;
}
