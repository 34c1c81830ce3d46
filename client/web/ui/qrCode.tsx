// QR codes, made in the browser: they may hold secrets, which must not reach a server. The encoder is loaded with the
// first one shown.

import { useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { Code } from '../vendor/leanqr.js';
import { useLoading } from './unloaded.tsx';

/** The quiet zone that readers need, in modules. */
const QUIET = 4;

/** A QR code for `text`; dark on white in every theme, since not every reader accepts others. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { answer: code, error } = useLoading(() => made(text), [text]);
  const side = code ? code.size + 2 * QUIET : 0;
  return (
    <div class="qr">
      {error && <p class="muted">{t('qr.failed')}</p>}
      {code && (
        <svg viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
          <rect width={side} height={side} fill="#fff" />
          <path d={outline(code)} fill="#000" />
        </svg>
      )}
    </div>
  );
}

/** The same, shown on demand. */
export function QrFold({ text, label }: { text: string; label: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="qr-fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('qr.show')}</summary>
      {open && <QrCode text={text} label={label} />}
    </details>
  );
}

async function made(text: string) {
  const { correction, generate } = await import('../vendor/leanqr.js');
  return generate(text, { minCorrectionLevel: correction.M });
}

/** A rectangle for each run of dark modules. */
function outline(code: Code) {
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
