// Choosing a bot: by name, strength and a one-sentence description, then by its parameters.

import type { ComponentChildren } from 'preact';
import { choiceWord } from '../i18n/botWords.ts';
import { pieces, t } from '../i18n/language.ts';
import { capital } from '../i18n/moveWords.ts';
import { isLevels } from '../net/catalog.ts';
import { levelWords } from '../room/words.ts';
import type { Bot } from '../types/page.d.ts';
import { Field, NumberField, OptionGroup, Options, SelectField } from '../ui/fields.tsx';
import type { Chosen } from './chosenBot.ts';
import { chosenBot, withValue } from './chosenBot.ts';

type Props = {
  legend: string;
  bots: Bot[];
  /** a bot's full name; may be empty */
  wanted: string;
  /** distinguishes the pickers of one form */
  name: string;
  choose: (name: string) => void;
};

export function BotChoice({ legend, bots, wanted, name, choose }: Props) {
  const chosen = chosenBot(bots, wanted);
  const ours = bots.filter((bot) => bot.ours);
  // People who look for an opponent want a level; the other bots are for the curious.
  const first = ours.filter((bot) => isLevels(bot) || bot.family === 'strongest');
  const measured = chosen?.bot.strengths?.[chosen.name];
  return (
    <div class="bot-choice stack">
      <Field label={legend}>
        <select
          name={name}
          data-family={name}
          value={chosen?.bot.family}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <Options options={first.map(named)} />
          <OptionGroup
            label={t(first.length ? 'bots.ours.others' : 'bots.ours')}
            options={ours.filter((bot) => !first.includes(bot)).map(named)}
          />
          <OptionGroup
            label={t('bots.literature')}
            options={bots.filter((bot) => !bot.ours && !bot.engine).map(named)}
          />
          <OptionGroup label={t('bots.engines')} options={bots.filter((bot) => bot.engine).map(named)} />
        </select>
      </Field>
      <div class="field-row parameters">
        {chosen?.bot.parameters.map((_, i) => (
          <Parameter key={`${chosen.bot.family} ${i}`} chosen={chosen} at={i} choose={choose} />
        ))}
      </div>
      <p class="muted character">
        <strong>{measured ? `${capital(measured)}.` : ''}</strong> {chosen?.bot.character}
      </p>
    </div>
  );
}

function named(bot: Bot) {
  return [bot.family, bot.title || bot.family];
}

function Parameter({ chosen, at, choose }: { chosen: Chosen; at: number; choose: (name: string) => void }) {
  const { bot, values } = chosen;
  const parameter = bot.parameters[at];
  const [min, max] = [parameter.min ?? 1, parameter.max ?? 1e6];
  const value = values[at];
  const label = capital(parameter.meaning ?? parameter.name);
  const set = (text: string) => choose(withValue(chosen, at, text));
  if (parameter.choices)
    return (
      <SelectField
        label={label}
        value={value}
        options={parameter.choices.map((word) => [word, choiceWord(word)])}
        change={set}
      />
    );
  if (isLevels(bot)) {
    const words = levelWords(Number(value), max);
    return (
      <Field kind="level" label={pieces<ComponentChildren>('bots.level', { level: <b>{words}</b> })}>
        <input
          type="range"
          min={min}
          max={max}
          step={1}
          value={value}
          aria-valuetext={words}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </Field>
    );
  }
  const range = t('bots.range', { parameter: label, min, max });
  return <NumberField label={range} min={min} max={max} step="1" value={value} text={set} />;
}
