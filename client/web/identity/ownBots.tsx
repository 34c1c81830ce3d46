// A player's own network bots: create one, replace its token, withdraw it. A token is shown only once.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { date, joined, t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import { getJson } from '../net/catalog.ts';
import type { OwnBotAnswer } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copyField.tsx';
import { Complaint, DialogTitle, openDialog } from '../ui/dialog.tsx';
import { Field } from '../ui/fields.tsx';
import { PlayerLink } from '../ui/names.tsx';
import { token } from '../ui/settings.ts';

const BOTS = '/api/players/me/bots';
const MAX_NAME = 20;

export function openOwnBots(app: App) {
  const secret = token();
  if (secret) openDialog(app, (close) => <OwnBots app={app} secret={secret} close={close} />, 'own-bots');
}

function OwnBots({ app, secret, close }: { app: App; secret: string; close: () => void }) {
  /** What the server says; null until it has answered. */
  const told = useSignal<{ bots: OwnBotAnswer[]; most: number } | null>(null);
  const made = useSignal<{ bot: OwnBotAnswer; token: string } | null>(null);
  const wrong = useSignal('');
  const busy = useSignal(false);

  /** Performs a request and shows the list that it returns. @returns whether it worked */
  const show = async (work?: () => Promise<unknown>) => {
    wrong.value = '';
    try {
      await work?.();
      told.value = await getJson(BOTS, secret);
      return true;
    } catch (error) {
      wrong.value = (error as Error).message;
      return false;
    }
  };
  const first = useRef<Promise<unknown>>(null);
  useEffect(() => {
    first.current = show();
  }, []);
  /** Waits for the first list, which could otherwise arrive late and be outdated. */
  const change = async (work: () => Promise<unknown>) => {
    busy.value = true;
    await first.current;
    const done = await show(work);
    busy.value = false;
    return done;
  };

  const make = (name: string) =>
    change(async () => {
      const path = `${BOTS}?name=${encodeURIComponent(name)}` as const;
      made.value = await getJson(path, secret, { method: 'POST', malformed: 'bad_name' });
    });
  const renew = (bot: OwnBotAnswer) =>
    change(async () => {
      made.value = await getJson(tokenPath(bot), secret, { method: 'POST' });
    });
  const withdraw = (bot: OwnBotAnswer) =>
    change(async () => {
      await getJson(tokenPath(bot), secret, { method: 'DELETE' });
      if (made.value?.bot.id === bot.id) made.value = null;
      app.say(t('ownbots.said.withdrawn', { name: bot.name }));
    });

  return (
    <div class="stack">
      <DialogTitle>{t('ownbots.title')}</DialogTitle>
      <p>{t('ownbots.how')}</p>
      {made.value && (
        <section class="stack tight">
          <p role="status">{t('ownbots.made', { name: made.value.bot.name })}</p>
          <div key={made.value.token} ref={inSight}>
            <CopyField
              link={made.value.token}
              label={t('ownbots.token', { name: made.value.bot.name })}
              share={false}
            />
          </div>
          <p class="warning">{t('ownbots.warning')}</p>
        </section>
      )}
      {told.value?.bots.length === 0 && <p class="muted">{t('ownbots.none')}</p>}
      <ul class="stack">
        {told.value?.bots.map((bot) => (
          <OwnBot key={bot.id} bot={bot} busy={busy.value} renew={renew} withdraw={withdraw} />
        ))}
      </ul>
      {wrong.value && (
        <div ref={inSight}>
          <Complaint>{wrong.value}</Complaint>
        </div>
      )}
      {told.value && told.value.bots.length >= told.value.most ? (
        <p class="muted">{t('ownbots.full', { most: told.value.most })}</p>
      ) : (
        <NewBot busy={busy.value} make={make} />
      )}
      <div class="submit-row">
        <Button say="identity.close" act={close} />
      </div>
    </div>
  );
}

type Change = (bot: OwnBotAnswer) => unknown;

type Does = 'renew' | 'withdraw';

function OwnBot({ bot, busy, ...change }: { bot: OwnBotAnswer; busy: boolean; renew: Change; withdraw: Change }) {
  /** The action that would end a token, until it is confirmed. */
  const asked = useSignal<Does | null>(null);
  const press = (does: Does) => {
    if (!bot.withdrawn_ms && asked.value === null) {
      asked.value = does;
      return;
    }
    asked.value = null;
    change[does](bot);
  };
  const button = (does: Does) => (
    <Button
      say={`ownbots.${does}`}
      class={does === 'withdraw' || asked.value ? 'danger' : ''}
      aria-label={t(`ownbots.${does}.of`, { name: bot.name })}
      disabled={busy}
      act={() => press(does)}
    />
  );
  const keep = <Button say="ownbots.keep" act={() => (asked.value = null)} />;
  return (
    <li class="stack tight">
      <span>
        <PlayerLink player={{ ...bot, kind: 'bot' }} />{' '}
        <small class="muted">
          {joined([presence(bot), bot.games && t('ownbots.games', { count: bot.games })], ', ')}
        </small>
      </span>
      <span role="status">{asked.value && t('ownbots.sure', { name: bot.name })}</span>
      <div class="submit-row">
        {/* The pressed button becomes the way back, so that a double press confirms nothing. */}
        {asked.value === 'renew' ? keep : button(asked.value ?? 'renew')}
        {asked.value === 'withdraw' ? keep : !bot.withdrawn_ms && button(asked.value ?? 'withdraw')}
      </div>
    </li>
  );
}

function NewBot({ busy, make }: { busy: boolean; make: (name: string) => Promise<boolean> }) {
  const name = useSignal('');
  const field = useRef<HTMLInputElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    if (name.value.trim() && (await make(name.value.trim()))) name.value = '';
    else field.current?.focus();
  };
  return (
    <form noValidate class="stack tight" onSubmit={(event) => void submit(event)}>
      <Field label={t('ownbots.name')}>
        <input
          ref={field}
          type="text"
          autocomplete="off"
          maxLength={2 * MAX_NAME}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </Field>
      <div class="submit-row">
        <Button say="ownbots.make" type="submit" class="primary" />
      </div>
    </form>
  );
}

/** A new bot is scrolled into view: the list may be longer than the window. */
function inSight(element: Element | null) {
  element?.scrollIntoView({ block: 'center' });
}

function tokenPath(bot: OwnBotAnswer) {
  return `${BOTS}/${bot.id}/token` as const;
}

/** What a bot is doing, or when it was last connected. */
function presence(bot: OwnBotAnswer) {
  if (bot.withdrawn_ms) return t('ownbots.withdrawn');
  if (bot.connected) return t('ownbots.connected');
  if (!bot.last_game_ms) return t('ownbots.new');
  return t('ownbots.last', { when: date(bot.last_game_ms, { day: 'numeric', month: 'long', year: 'numeric' }) });
}
