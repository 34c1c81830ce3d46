// The bots for the chosen game: name, strength, and a button to play each.

import { gameName } from '../i18n/gameWords.ts';
import { joined, t } from '../i18n/language.ts';
import { capital } from '../i18n/moveWords.ts';
import { botName, isLevels } from '../net/catalog.ts';
import { levelWords, ratingWords } from '../room/words.ts';
import type { Bot } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { Again, type Loading } from '../ui/unloaded.tsx';
import { byStrength, SHOWN } from './chosenBot.ts';
import { levelName } from './levels.ts';
import { Row } from './row.tsx';

type Play = (name: string) => void;
export type Offered = Loading<{ game: string; bots: Bot[] }>;

export function Bots({ offered: { answer, error, load }, play }: { offered: Offered; play: Play }) {
  if (error || !answer)
    return <section class="panel sunken bots">{error && <Again sentence={error.message} again={load} />}</section>;
  const { game, bots } = answer;
  const sorted = byStrength(bots);
  const others = sorted.filter((bot) => !SHOWN.includes(bot.family));
  return (
    <section class="panel sunken bots" key={game}>
      <h2>{t('lobby.bots', { game: gameName({ id: game }) })}</h2>
      <ul>
        {sorted
          .filter((bot) => SHOWN.includes(bot.family))
          .map((bot) =>
            isLevels(bot) ? (
              <Levels key={bot.family} bot={bot} play={play} />
            ) : (
              <BotRow key={bot.family} bot={bot} play={play} />
            ),
          )}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{t('lobby.bots.more', { count: others.length })}</summary>
          <ul>
            {others.map((bot) => (
              <BotRow key={bot.family} bot={bot} play={play} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function BotRow({ bot, play }: { bot: Bot; play: Play }) {
  const name = botName(bot, []);
  const title = bot.title || bot.family;
  return (
    <Row
      what={
        <span>
          <strong>{title}</strong> <Strength bot={bot} name={name} />
        </span>
      }
      about={bot.character}
    >
      <Button say="lobby.bots.play" aria-label={t('lobby.bots.play.name', { name: title })} act={() => play(name)} />
    </Row>
  );
}

/** One row for all levels, with a button each. */
function Levels({ bot, play }: { bot: Bot; play: Play }) {
  const highest = bot.parameters[0].max as number;
  return (
    <Row class="levels-row" what={<strong>{t('lobby.bots.levels', { highest })}</strong>} about={bot.character}>
      <ul class="levels">
        {Array.from({ length: highest }, (_, i) => (
          <Level key={i} bot={bot} level={i + 1} highest={highest} play={play} />
        ))}
      </ul>
    </Row>
  );
}

function Level({ bot, level, highest, play }: { bot: Bot; level: number; highest: number; play: Play }) {
  const name = levelName(bot, level);
  const rating = bot.ratings?.[name];
  const words = t('lobby.bots.level', { level: levelWords(level, highest) });
  const label = rating ? t('lobby.bots.level.rated', { words, rating: ratingWords(rating) }) : words;
  return (
    <li>
      <button type="button" aria-label={label} title={label} onClick={() => play(name)}>
        {level}
        {rating && <small>{ratingWords(rating)}</small>}
      </button>
    </li>
  );
}

/** A bot's strength in this game: measured, and rated. */
function Strength({ bot, name }: { bot: Bot; name: string }) {
  const measured = bot.strengths?.[name];
  const rating = bot.ratings?.[name];
  const known = joined([measured && capital(measured), rating && ratingWords(rating)], ' · ');
  return known ? <span class="strength">{known}</span> : null;
}
