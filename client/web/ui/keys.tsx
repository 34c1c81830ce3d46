// The list of keys: a dialog opened by `?` and by a button at the foot of each page. It lists the keys of what the page
// shows at the moment.

import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { Button } from './button.tsx';
import { DialogTitle, openDialog } from './dialog.tsx';
import { CheckField } from './fields.tsx';
import { keysByQuestionMark, setKeysByQuestionMark } from './settings.ts';
import { useApp } from './view.tsx';

/**
 * The parts of pages that have keys, listed only if the part is on the page, and their rows. The texts are `keys.PART`,
 * `keys.PART.ROW` and, for the keys themselves, `keys.PART.ROW.keys`.
 */
const PARTS: [string, string, string[]][] = [
  ['board', '.board', ['arrows', 'row', 'corners', 'play', 'type']],
  ['cube', '.board-cube', ['level']],
  ['space', '.cube:not([hidden])', ['turn', 'apart', 'reset']],
  ['nested', '.board-nested', ['board']],
  ['replay', '.replay', ['step', 'ends', 'run']],
  ['explorer', '.explorer', ['back', 'first']],
  ['everywhere', 'body', ['next', 'press', 'escape', 'list']],
];

function openKeys(app: App) {
  const parts = PARTS.filter(([, selector]) => document.querySelector(selector));
  openDialog(app, () => <Keys parts={parts} />, 'key-dialog');
}

function Keys({ parts }: { parts: typeof PARTS }) {
  return (
    <form method="dialog">
      <DialogTitle>{t('keys.title')}</DialogTitle>
      {parts.map(([part, , rows]) => (
        <section key={part}>
          <h3>{t(`keys.${part}`)}</h3>
          <dl class="stack tight key-list">
            {rows.map((row) => (
              <div key={row}>
                <dt>
                  {t(`keys.${part}.${row}.keys`)
                    .split(', ') // "Home, End" are two keys
                    .map((each, i) => [i > 0 && ' ', <kbd key={each}>{each}</kbd>])}
                </dt>
                <dd>{t(`keys.${part}.${row}`)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {/* Speech input may press keys by accident. */}
      <CheckField label={t('keys.by-question-mark')} checked={keysByQuestionMark()} change={setKeysByQuestionMark} />
      <div class="submit-row">
        <Button say="keys.close" type="submit" class="primary" />
      </div>
    </form>
  );
}

/** The button at the foot of each page. */
export function KeysButton() {
  const app = useApp();
  return <Button say="keys.title" class="quiet" aria-keyshortcuts="?" act={() => openKeys(app)} />;
}

export function listenForKeys(app: App) {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '?' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    const writes = target.closest(
      'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])',
    );
    if (writes || document.querySelector('dialog[open]') || !keysByQuestionMark()) return;
    event.preventDefault();
    openKeys(app);
  });
}
