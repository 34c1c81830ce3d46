// QR codes, made here: what they say may be a secret, so it goes to no server. The code itself is loaded when the
// first one is shown.

import { useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { Code } from '../vendor/leanqr.js';
import { useLoading } from './unloaded.tsx';

/** What readers need of light space around a code, in modules. */
const QUIET = 4;

/** A code that says `text`; dark on white in every theme, since not every reader takes another. */
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

/** The same, shown when it is asked for. */
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
