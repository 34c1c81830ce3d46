// @ts-check
// A move as somebody types it: `c3`, `5/3`, `a1.2`, in any case, with spaces or other signs between. Pure.

/**
 * @param {string} text @param {import('./geometry.js').Geometry} board
 * @returns {{cell: string}|{wrong: 'form'|'place'}} `form`: no move at all; `place`: a cell that this board has not
 */
export function parseMove(text, board) {
  const cell = spelled(text.trim().toLowerCase(), board.kind);
  if (!cell) return { wrong: 'form' };
  return board.cells.has(cell) ? { cell } : { wrong: 'place' };
}

/** @param {string} text @param {'flat'|'cube'|'nested'} kind @returns {string|null} */
function spelled(text, kind) {
  if (kind === 'nested') {
    const found = /^(\d)[\s/.,:-]*(\d)$/.exec(text);
    return found && `${found[1]}/${found[2]}`;
  }
  if (kind === 'flat') {
    const found = /^([a-z])\s*(\d{1,2})$/.exec(text);
    return found && `${found[1]}${Number(found[2])}`;
  }
  const found = /^([a-z])\s*(\d)[\s/.,:-]*(\d)$/.exec(text);
  return found && `${found[1]}${found[2]}.${found[3]}`;
}

/** A move of this board as an example: its last cell. @param {import('./geometry.js').Geometry} board */
export function exampleMove(board) {
  return /** @type {string} */ ([...board.cells.keys()].at(-1));
}
