// @ts-check
// Identities that this browser had and was asked to keep: their tokens and names.

import { read, write } from '../ui/storage.js';

const MOST = 8;
/** @typedef {{token: string, name: string}} Identity */

/** @returns {Identity[]} the last kept first */
export function savedIdentities() {
  const list = read('kept');
  return Array.isArray(list)
    ? list.filter((one) => typeof one?.token === 'string' && typeof one.name === 'string')
    : [];
}

/** @param {Identity} identity */
export function saveIdentity(identity) {
  write('kept', [identity, ...savedIdentities().filter((one) => one.token !== identity.token)].slice(0, MOST));
}

/** @param {string} token */
export function removeIdentity(token) {
  write(
    'kept',
    savedIdentities().filter((one) => one.token !== token),
  );
}
