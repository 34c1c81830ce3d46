// The form for a new game: every game, every way to take seats.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { playerName } from '../i18n/botWords.ts';
import { t } from '../i18n/language.ts';
import type { App } from '../main.tsx';
import type { Rules } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { Complaint } from '../ui/dialog.tsx';
import { CheckField, Choice, NumberField, Segments, SelectField } from '../ui/fields.tsx';
import { lastChoices, setLastChoices } from '../ui/settings.ts';
import { Again, useLoading } from '../ui/unloaded.tsx';
import { drawnView, useApp } from '../ui/view.tsx';
import { BotChoice } from './botChoice.tsx';
import { chosenBot } from './chosenBot.ts';
import type { Choices, Field } from './createMessage.ts';
import {
  CLOCK_FIELDS,
  clockOf,
  createMessage,
  FIRST_CHOICES,
  mayBeRated,
  oneAtATime,
  PRESETS,
  presetOf,
  ratedWords,
  refusedField,
  usableChoices,
  WAYS,
  wrongField,
} from './createMessage.ts';
import { GameFields, RulesBox } from './gameFields.tsx';
import { LimitFields } from './limitFields.tsx';
import { useGames } from './view.tsx';

const SEATS = ['x', 'o', 'random'];
const OWN_CLOCKS = ['game', 'move'];

export function createView(app: App, given: Partial<Choices>) {
  return drawnView(app, t('create.title'), <CreateForm given={given} />);
}

function CreateForm({ given }: { given: Partial<Choices> }) {
  const app = useApp();
  const { answer: games, error, load } = useGames();
  useEffect(() => app.lobby.follow(), []);
  return (
    <div class="create">
      <h1 tabIndex={-1}>{t('create.title')}</h1>
      {error && !games && <Again again={load} />}
      {games && <Form games={games} given={given} />}
    </div>
  );
}

/** The form's initial values. A hand-typed address may name an opponent that does not exist. */
function firstChoices(given: Partial<Choices>): Choices {
  const choices = { game: 'tictactoe', seat: 'x' as const, ...usableChoices(lastChoices()), ...usableChoices(given) };
  return { ...FIRST_CHOICES, ...choices };
}

function Form({ games, given }: { games: Rules[]; given: Partial<Choices> }) {
  const app = useApp();
  const form = useRef<HTMLFormElement>(null);
  const choices = useSignal(useMemo(() => firstChoices(given), []));
  const c = choices.value;
  /** Which clock button is pressed: a custom clock may equal a preset. */
  const clock = useSignal(presetOf(c));
  const wrong = useSignal<{ field: Field; sentence: string } | null>(null);
  const known = useGame(c.game);
  const only = useMemo(oneAtATime, []);
  const change = (changes: Partial<Choices>) => {
    choices.value = { ...choices.value, ...changes };
    wrong.value = null;
  };
  const chooseClock = (preset: string) => {
    clock.value = preset;
    change(clockOf(preset));
  };
  const complaint = (field: Field) => (wrong.value?.field === field ? wrong.value.sentence : '');
  const blame = (field: Field, sentence: string) => {
    wrong.value = { field, sentence };
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const people = (app.lobby.state?.people ?? []).filter((player) => player.id !== app.connection.player?.id);
  const against = c.who === 'bot' || c.who === 'bots';
  // A chosen person who has gone is not silently replaced by somebody else.
  const player = people.find((each) => !c.player || each.id === c.player)?.id ?? '';
  if (c.who === 'player') c.player ||= player; // the person shown counts as chosen
  const nobody = t(c.player ? 'create.gone' : 'create.who.nobody');

  const create = async () => {
    // A quick player may submit before the list of bots has arrived.
    const bots = await app.catalog
      .rules(c.game)
      .then(({ id }) => app.catalog.bots(id))
      .catch(() => known.bots);
    const bot = (name: string) => chosenBot(bots, name)?.name ?? '';
    if (c.who === 'player' && c.player && !player) return blame('player', nobody);
    const settled = { ...c, player, bot: bot(c.bot), botX: bot(c.botX), botO: bot(c.botO) };
    const fault = wrongField(settled);
    if (fault) return blame(...fault);
    // The game is remembered only once it is made, since it may be impossible.
    const { game: _, player: __, ...how } = settled;
    setLastChoices(how);
    app.clearNotice();
    try {
      await app.make(createMessage(settled));
    } catch (error) {
      const refused = refusedField(error as Error, settled);
      if (refused) blame(...refused);
      else app.fail(error);
    }
  };

  const number = (field: 'minutes' | 'increment' | 'perMove') => (
    <NumberField
      name={field}
      label={t(`create.${field}`)}
      value={c[field]}
      {...CLOCK_FIELDS[field]}
      step="any"
      wrong={complaint(field)}
      change={(value) => change({ [field]: value })}
    />
  );
  const picker = (name: 'bot' | 'botX' | 'botO') => (
    <BotChoice
      legend={t(`create.${name}`)}
      name={name}
      bots={known.bots}
      wanted={c[name]}
      choose={(chosen) => change({ [name]: chosen })}
    />
  );
  return (
    <form
      noValidate
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void only(create);
      }}
    >
      <fieldset>
        <legend>{t('create.game')}</legend>
        <GameFields games={games} game={c.game} wrong={complaint('game')} change={(game) => change({ game })} />
        <RulesBox rules={known.rules} wrong={known.wrong} />
      </fieldset>
      <fieldset>
        <legend>{t('create.against')}</legend>
        <Ways chosen={c.who} choose={(who) => change({ who })} />
        {c.who === 'player' && (
          <SelectField
            name="player"
            label={t('create.who')}
            value={player}
            options={[...(player ? [] : [['', nobody]]), ...people.map((one) => [one.id, playerName(one)])]}
            wrong={complaint('player')}
            change={(id) => change({ player: id })}
          />
        )}
        {c.who === 'bot' && picker('bot')}
        {c.who === 'bots' && (
          <>
            <div class="columns">
              {picker('botX')}
              {picker('botO')}
            </div>
            <p class="muted">{t('create.turns')}</p>
          </>
        )}
        <Complaint id="wrong-bot">{complaint('bot')}</Complaint>
        {c.who !== 'self' && c.who !== 'bots' && (
          <Segments
            name="seat"
            legend={t('create.side')}
            value={c.seat}
            options={SEATS.map((side) => [side, t(`create.side.${side}`)])}
            change={(seat) => change({ seat: seat as Choices['seat'] })}
          />
        )}
      </fieldset>
      <fieldset>
        <legend>{t('create.clock')}</legend>
        <Segments
          name="clock"
          class="presets"
          label={t('create.clock')}
          value={clock.value}
          options={[...PRESETS.map((preset) => [preset, preset]), ['none', t('create.clock.none')]]}
          change={chooseClock}
        />
        <CheckField
          name="rated"
          label={t('create.rated')}
          meaning={ratedWords(c)}
          checked={c.rated}
          disabled={!mayBeRated(c)}
          change={(rated) => change({ rated })}
        />
      </fieldset>
      <details class="advanced" open={OWN_CLOCKS.includes(clock.value) || (against && (c.limit !== 'none' || c.human))}>
        <summary>{t('create.advanced')}</summary>
        <fieldset>
          <Segments
            name="clock"
            legend={t('create.clock.own')}
            value={clock.value}
            options={OWN_CLOCKS.map((kind) => [kind, t(`create.clock.${kind}`)])}
            change={chooseClock}
          />
          {clock.value === 'game' && (
            <div class="field-row">
              {number('minutes')}
              {number('increment')}
            </div>
          )}
          {clock.value === 'move' && number('perMove')}
          {against && (
            <CheckField
              name="human"
              label={t('create.pace')}
              meaning={t('create.pace.meaning')}
              checked={c.human}
              change={(human) => change({ human })}
            />
          )}
          {against && <LimitFields {...c} wrong={complaint('limitValue')} change={change} />}
        </fieldset>
      </details>
      <div class="submit-row">
        <Button say={`create.go.${c.who}`} type="submit" class="primary big" />
        <a href="/" class="button quiet">
          {t('room.to-lobby')}
        </a>
      </div>
    </form>
  );
}

/** The chosen game as far as it is known, or why it is not. The previous game's data stay until the new ones arrive. */
function useGame(id: string) {
  const { catalog } = useApp();
  const { answer: rules, error } = useLoading(() => catalog.rules(id), [id]);
  // A listed game's rules are shown at once, without waiting for its bots.
  const bots = useLoading(async () => (rules ? catalog.bots(rules.id) : []), [rules]);
  return { rules, bots: bots.answer ?? [], wrong: (error ?? bots.error)?.message ?? '' };
}

function Ways({ chosen, choose }: { chosen: string; choose: (who: string) => void }) {
  return (
    <div class="ways">
      {WAYS.map((way) => (
        <Choice key={way} class="way" name="who" value={way} chosen={chosen} choose={choose}>
          <span>
            <strong>{t(`create.way.${way}`)}</strong>
            <small>{t(`create.way.${way}.meaning`)}</small>
          </span>
        </Choice>
      ))}
    </div>
  );
}
