// Links to private games: the secret stands behind the #, which no server and no proxy is sent. Pure.

const SECRET = /^share=([\w-]{1,200})$/;

/** The secret of an address's fragment, null where there is none; one that was cut off or altered is one too. */
export function secretIn(hash: string): string | null {
  if (!hash.startsWith('share=')) return null;
  return SECRET.exec(hash)?.[1] ?? '-';
}

export function shareLink(origin: string, id: string, secret: string) {
  return `${origin}/game/${encodeURIComponent(id)}#share=${secret}`;
}
