// The address of a room. Pure.

/**
 * One address for the player, the friend and the address bar. The code of an invite room is in its fragment, which
 * browsers send to nobody: not to the server, a proxy's log or another page.
 */
export function roomPath(id: string, code: string | null) {
  return `/room/${encodeURIComponent(id)}${code ? `#${encodeURIComponent(code)}` : ''}`;
}
