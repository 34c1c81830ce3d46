// @ts-check
// QR codes, made here: what they say may be a secret, so it goes to no server. The code itself is loaded when the
// first one is shown.

import { t } from '../i18n/language.js';
import { el, fill, svg } from './dom.js';

/** What readers need of light space around a code, in modules. */
const QUIET = 4;

/** A code that says `text`; dark on white in every theme, since not every reader takes another.
 * @param {string} text @param {string} alt @returns {HTMLElement} */
export function qrPicture(text, alt) {
  const frame = el('div', { class: 'qr' });
  drawn(text, alt).then(
    (picture) => fill(frame, picture),
    () => fill(frame, el('p', { class: 'muted' }, t('qr.failed'))),
  );
  return frame;
}

/** The same, shown when it is asked for. @param {string} text @param {string} alt @returns {HTMLElement} */
export function qrFold(text, alt) {
  const fold = el('details', { class: 'qr-fold' }, el('summary', null, t('qr.show')));
  fold.addEventListener('toggle', () => fold.open && fold.children.length === 1 && fold.append(qrPicture(text, alt)));
  return fold;
}

/** @param {string} text @param {string} alt */
async function drawn(text, alt) {
  const { correction, generate } = await import('../vendor/leanqr.js');
  const code = generate(text, { minCorrectionLevel: correction.M });
  const side = code.size + 2 * QUIET;
  return svg(
    'svg',
    { viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': alt, 'shape-rendering': 'crispEdges' },
    svg('rect', { width: side, height: side, fill: '#fff' }),
    svg('path', { d: outline(code), fill: '#000' }),
  );
}

/** A rectangle for each run of dark modules. @param {import('../vendor/leanqr.js').Code} code */
function outline(code) {
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      const from = x;
      while (code.get(x + 1, y)) x++;
      path += `M${from + QUIET} ${y + QUIET}h${x + 1 - from}v1h${from - x - 1}z`;
    }
  }
  return path;
}
