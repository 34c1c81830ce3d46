// Playing on from a position of another game, against a bot or a friend: the dialog for it. The new game is never
// rated.

import { useEffect, useRef, useState } from 'preact/hooks';
import { sideAt } from '../board/position.ts';
import { t } from '../i18n/language.ts';
import { BotChoice } from '../lobby/botChoice.tsx';
import { chosenBot } from '../lobby/chosenBot.ts';
import { limitWrong } from '../lobby/createMessage.ts';
import { LimitFields } from '../lobby/limitFields.tsx';
import type { App } from '../main.tsx';
import type { Bot } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { DialogTitle, openDialog } from '../ui/dialog.tsx';
import { Segments } from '../ui/fields.tsx';
import { marks, playOnChoices, setPlayOnChoices } from '../ui/settings.ts';
import { useApp } from '../ui/view.tsx';
import type { Choices, From } from './playOnMessage.ts';
import { playOnMessage, SEATS, takesStart, usable, WAYS } from './playOnMessage.ts';

export async function openPlayOn(app: App, from: From) {
  const bots = (await app.catalog.bots(from.game)).filter((bot) => takesStart(bot, from.start.length));
  openDialog(app, (close) => <PlayOnForm from={from} bots={bots} close={close} />, 'play-on');
}

function PlayOnForm({ from, bots, close }: { from: From; bots: Bot[]; close: () => void }) {
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  const mover = sideAt(from.start.length);
  const [choices, setChoices] = useState<Choices>(() => usable(playOnChoices(), mover));
  const [wrong, setWrong] = useState('');
  const choose = (changes: Partial<Choices>) => {
    setChoices((before) => ({ ...before, ...changes }));
    setWrong('');
  };
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLElement>('[name=limitValue]')?.focus();
  }, [wrong]);
  const { who, seat } = choices;
  const submit = (event: Event) => {
    event.preventDefault();
    const complaint = who === 'bot' ? limitWrong(choices) : '';
    if (complaint) return setWrong(complaint);
    const asked = { ...choices, bot: chosenBot(bots, choices.bot)?.name ?? '' };
    setPlayOnChoices(asked);
    close();
    void app.create(playOnMessage(from, asked));
  };
  const mine = marks();
  return (
    <form noValidate ref={form} onSubmit={submit}>
      <DialogTitle>{t('playon.title')}</DialogTitle>
      <p class="muted">
        {t(from.start.length ? 'playon.from' : 'playon.from.empty', { count: from.start.length, mark: mine[mover] })}
      </p>
      <Segments
        name="seat"
        legend={t('playon.seat')}
        value={seat}
        options={SEATS.map((side) => [side, side === 'random' ? t('playon.seat.random') : mine[side]])}
        change={(side) => choose({ seat: side as Choices['seat'] })}
      />
      <Segments
        name="who"
        legend={t('playon.who')}
        value={who}
        options={WAYS.map((way) => [way, t(`playon.who.${way}`)])}
        change={(way) => choose({ who: way as Choices['who'] })}
      />
      {who === 'bot' && (
        <div class="stack">
          <BotChoice
            legend={t('playon.bot')}
            bots={bots}
            wanted={choices.bot}
            name="playon"
            choose={(bot) => choose({ bot })}
          />
          <LimitFields {...choices} wrong={wrong} change={choose} />
        </div>
      )}
      <p class="muted">{t('playon.unrated')}</p>
      <div class="submit-row">
        <Button say={`playon.go.${who}`} type="submit" class="primary" />
        <Button say="playon.cancel" act={close} />
      </div>
    </form>
  );
}
