// Choosing a bot: by name, strength and one sentence on its character, then by its parameters.

import { choiceWord } from '../i18n/botWords.ts';
import { pieces, t } from '../i18n/language.ts';
import { capital } from '../i18n/moveWords.ts';
import { isLevels } from '../net/catalog.ts';
import { levelWords } from '../room/words.ts';
import type { Bot } from '../types/page.d.ts';
import type { Chosen } from './chosenBot.ts';
import { chosenBot, withValue } from './chosenBot.ts';

type Props = {
  legend: string;
  bots: Bot[];
  /** a bot's full name, may be empty */
  wanted: string;
  /** tells pickers of one form apart */
  name: string;
  choose: (name: string) => void;
};

export function BotChoice({ legend, bots, wanted, name, choose }: Props) {
  const chosen = chosenBot(bots, wanted);
  const ours = bots.filter((bot) => bot.ours);
  // Who looks for somebody to play wants a level; the rest are for the curious.
  const first = ours.filter((bot) => isLevels(bot) || bot.family === 'strongest');
  const measured = chosen?.bot.strengths?.[chosen.name];
  return (
    <div class="bot-choice">
      <label class="field">
        <span>{legend}</span>
        <select
          name={name}
          data-family={name}
          value={chosen?.bot.family}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <Options bots={first} />
          <Group
            label={t(first.length ? 'bots.ours.others' : 'bots.ours')}
            bots={ours.filter((bot) => !first.includes(bot))}
          />
          <Group label={t('bots.literature')} bots={bots.filter((bot) => !bot.ours && !bot.engine)} />
          <Group label={t('bots.engines')} bots={bots.filter((bot) => bot.engine)} />
        </select>
      </label>
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

function Options({ bots }: { bots: Bot[] }) {
  return bots.map((bot) => (
    <option key={bot.family} value={bot.family}>
      {bot.title || bot.family}
    </option>
  ));
}

function Group({ label, bots }: { label: string; bots: Bot[] }) {
  return bots.length ? (
    <optgroup label={label}>
      <Options bots={bots} />
    </optgroup>
  ) : null;
}

function Parameter({ chosen, at, choose }: { chosen: Chosen; at: number; choose: (name: string) => void }) {
  const { bot, values } = chosen;
  const parameter = bot.parameters[at];
  const [min, max] = [parameter.min ?? 1, parameter.max ?? 1e6];
  const value = values[at];
  const label = capital(parameter.meaning ?? parameter.name);
  const set = (event: Event) => choose(withValue(chosen, at, (event.currentTarget as HTMLInputElement).value));
  if (parameter.choices)
    return (
      <label class="field">
        <span>{label}</span>
        <select value={value} onChange={set}>
          {parameter.choices.map((word) => (
            <option key={word} value={word}>
              {choiceWord(word)}
            </option>
          ))}
        </select>
      </label>
    );
  if (isLevels(bot)) {
    const words = levelWords(Number(value), max);
    return (
      <label class="field level">
        <span>{pieces('bots.level', { level: <b>{words}</b> })}</span>
        <input type="range" min={min} max={max} step={1} value={value} aria-valuetext={words} onInput={set} />
      </label>
    );
  }
  return (
    <label class="field number">
      <span>{t('bots.range', { parameter: label, min, max })}</span>
      <input type="number" min={min} max={max} step={1} inputMode="numeric" value={value} onInput={set} />
    </label>
  );
}
