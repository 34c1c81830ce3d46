// Earlier identities that this browser was asked to keep: their tokens and names.

import { read, write } from '../ui/storage.ts';

const MOST = 8;
export type Identity = { token: string; name: string };

/** @returns the last saved first */
export function savedIdentities(): Identity[] {
  const list = read('kept');
  return Array.isArray(list)
    ? list.filter((one) => typeof one?.token === 'string' && typeof one.name === 'string')
    : [];
}

export function saveIdentity(identity: Identity) {
  write('kept', [identity, ...savedIdentities().filter((one) => one.token !== identity.token)].slice(0, MOST));
}

export function removeIdentity(token: string) {
  write(
    'kept',
    savedIdentities().filter((one) => one.token !== token),
  );
}
