// The bots of the chosen game: who they are, how strong, and a button to play each.

import { gameName } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import { capital } from '../i18n/moveWords.ts';
import { botName, isLevels } from '../net/catalog.ts';
import { levelWords, ratingWords } from '../room/words.ts';
import type { Bot } from '../types/page.d.ts';
import { byStrength, SHOWN } from './botList.ts';
import { levelName } from './levels.ts';
import type { Offered } from './view.tsx';

type Play = (name: string) => void;

export function Bots({ offered, again, play }: { offered: Offered; again: () => void; play: Play }) {
  const { game, bots, error } = offered;
  if (error)
    return (
      <section class="panel sunken bots">
        <p class="empty">{error.message}</p>
        <button type="button" onClick={again}>
          {t('page.again')}
        </button>
      </section>
    );
  const sorted = byStrength(bots ?? []);
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
              <Row key={bot.family} bot={bot} play={play} />
            ),
          )}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{t('lobby.bots.more', { count: others.length })}</summary>
          <ul>
            {others.map((bot) => (
              <Row key={bot.family} bot={bot} play={play} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Row({ bot, play }: { bot: Bot; play: Play }) {
  const name = botName(bot, []);
  const title = bot.title || bot.family;
  return (
    <li>
      <span class="row-what">
        <span>
          <strong>{title}</strong> <Strength bot={bot} name={name} />
        </span>
        <small>{bot.character}</small>
      </span>
      <button type="button" aria-label={t('lobby.bots.play.name', { name: title })} onClick={() => play(name)}>
        {t('lobby.bots.play')}
      </button>
    </li>
  );
}

/** One row for all levels, with a button each. */
function Levels({ bot, play }: { bot: Bot; play: Play }) {
  const highest = bot.parameters[0].max as number;
  return (
    <li class="levels-row">
      <span class="row-what">
        <strong>{t('lobby.bots.levels', { highest })}</strong>
        <small>{bot.character}</small>
      </span>
      <ul class="levels">
        {Array.from({ length: highest }, (_, i) => (
          <Level key={i} bot={bot} level={i + 1} highest={highest} play={play} />
        ))}
      </ul>
    </li>
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

/** What is known of a bot's strength in this game: measured, and rated. */
function Strength({ bot, name }: { bot: Bot; name: string }) {
  const measured = bot.strengths?.[name];
  const rating = bot.ratings?.[name];
  const known = [measured && capital(measured), rating && ratingWords(rating)].filter(Boolean).join(' · ');
  return known ? <span class="strength">{known}</span> : null;
}
