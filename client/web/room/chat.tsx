// The chat of a room.

import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import type { ChatLine } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/fields.tsx';
import { Name } from '../ui/names.tsx';
import { setChatMuted } from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';

const MAX_LENGTH = 300;

/** The visible lines: only the player's own if the others are muted. */
export function heard(lines: ChatLine[], me: string | null, muted: boolean) {
  return lines.filter((line) => !muted || line.by.id === me);
}

export function Chat({ room, lines, muted }: { room: string; lines: ChatLine[]; muted: Signal<boolean> }) {
  const app = useApp();
  const me = app.connection.player?.id ?? null;
  const shown = heard(lines, me, muted.value);
  const log = useRef<HTMLDivElement>(null);
  const box = log.current;
  // Measured before the new line. Somebody who reads older lines stays there, until they write something.
  const follows = !box || box.scrollTop + box.clientHeight > box.scrollHeight - 2 || shown.at(-1)?.by.id === me;
  useLayoutEffect(() => {
    if (follows) log.current?.scrollTo(0, log.current.scrollHeight);
  });
  return (
    <div class="chat stack tight">
      {/* role=log announces new lines by itself: the page's live region leaves them out. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard */}
      <div class="chat-lines" role="log" aria-label={t('chat.title')} tabIndex={0} ref={log}>
        <ol key={String(muted.value)}>
          {shown.map((line) => (
            <li key={`${line.ts} ${line.by.id} ${line.text}`} class={line.by.id === me ? 'mine' : undefined}>
              <span class="author">
                <Name name={line.by.name} />
              </span>{' '}
              <bdi class="said">{line.text}</bdi>
            </li>
          ))}
          {muted.value && <li class="muted">{t('chat.muted')}</li>}
          {!muted.value && !shown.length && <li class="muted">{t('chat.none')}</li>}
        </ol>
      </div>
      <Say room={room}>
        <CheckField
          label={t('chat.mute')}
          checked={muted.value}
          change={(on) => {
            setChatMuted(on);
            muted.value = on;
          }}
        />
      </Say>
    </div>
  );
}

function Say({ room, children }: { room: string; children: preact.ComponentChildren }) {
  const app = useApp();
  const [text, setText] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    const said = text.trim();
    if (!said) return;
    setText('');
    const sent = await app.attempt(() => app.connection.request({ t: 'say', room, text: said }));
    if (!sent) setText((written) => written || said); // the page has shown the error; the text is not lost
  };
  return (
    <form class="chat-form" onSubmit={(event) => void submit(event)}>
      <input
        type="text"
        maxLength={MAX_LENGTH}
        aria-label={t('chat.say')}
        placeholder={t('chat.say')}
        autocomplete="off"
        enterkeyhint="send"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button say="chat.send" type="submit" />
      {children}
    </form>
  );
}
