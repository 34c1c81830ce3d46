// The three quick starts, their clock, and their settings.

import type { ComponentChildren } from 'preact';
import { pieces, t } from '../i18n/language.ts';
import { clockWords } from '../room/clock.ts';
import type { Bot, Seek } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { Segments } from '../ui/fields.tsx';
import { Name } from '../ui/names.tsx';
import { levelPlayed, setLastChoices } from '../ui/settings.ts';
import { useLoading } from '../ui/unloaded.tsx';
import { useApp } from '../ui/view.tsx';
import type { Choices, Only } from './createMessage.ts';
import { clockOf, createMessage, PRESETS, presetOf } from './createMessage.ts';
import type { Pick } from './levels.ts';
import { pickBot } from './levels.ts';
import { playPerson } from './playPerson.ts';
import {
  choicesFor,
  fittingSeeks,
  freeSide,
  pickWords,
  settingsWords,
  settledRating,
  sideWords,
} from './quickStart.ts';

type Props = { game: string; bots: Bot[] | null; only: Only };

export function StartButtons({ game, bots, only }: Props) {
  const app = useApp();
  const { pick, rating } = usePick(game, bots);
  const choices = choicesFor(game, { who: 'bot' });
  const message = (who: string) => createMessage(choicesFor(game, { who }));
  const me = app.connection.player?.id ?? null;
  /** The opponents available at once. */
  const seeks = fittingSeeks(app.lobby.state, game, me, Boolean(message('open').rated));
  const [seek] = seeks;
  const side = (who: string) => sideWords(choicesFor(game, { who }).seat);

  const playBot = async () => {
    const { path } = app;
    const offered = await app.catalog.bots(game); // not loaded yet, or failed
    if (app.path !== path) return;
    const chosen = pick ?? pickBot(offered, null, levelPlayed(game));
    if (!chosen) throw new Error(t('lobby.pick.none'));
    app.say(pickWords(chosen, rating));
    await app.make(createMessage(choicesFor(game, { who: 'bot', bot: chosen.name })));
  };

  return (
    <div class="quick">
      <div class="clock-line">
        <Presets choices={choices} choose={(preset) => setLastChoices(clockOf(preset))} />
        <p class="settings-line muted">
          <span>{settingsWords(choices)}</span>
          <a class="button quiet" href={pick ? `/#create=bot:${encodeURIComponent(pick.name)}` : '/#create'}>
            {t('lobby.advanced')}
          </a>
        </p>
      </div>
      <div class="hero-ways">
        <Way name={t('lobby.play.bot')} more="primary" go={() => only(() => app.attempt(playBot))}>
          <span>{bots && (pick ? pickWords(pick, rating) : t('lobby.pick.none'))}</span>
          <span>{side('bot')}</span>
        </Way>
        <Way name={t('lobby.play.person')} go={() => only(() => playPerson(app, seeks, message('open')))}>
          {seek ? <Waiting seek={seek} /> : <span>{t('lobby.play.person.how')}</span>}
          <span>{seek ? sideWords(freeSide(seek)) : side('open')}</span>
        </Way>
        <Way name={t('lobby.play.friend')} go={() => only(() => app.create(message('invite')))}>
          <span>{t('lobby.play.friend.how')}</span>
          <span>{side('invite')}</span>
        </Way>
      </div>
    </div>
  );
}

function Way(props: { name: string; more?: string; go: () => unknown; children: ComponentChildren }) {
  return (
    <Button class={`big way-button ${props.more ?? ''}`} act={props.go}>
      <span>{props.name}</span> <small>{props.children}</small>
    </Button>
  );
}

function Waiting({ seek }: { seek: Seek }) {
  const clock = clockWords(seek.clock);
  return <span>{pieces('lobby.play.person.waiting', { name: <Name name={seek.by.name} />, clock })}</span>;
}

/** Clocks to choose in one click; a custom clock from the form is shown beside them. */
function Presets({ choices, choose }: { choices: Choices; choose: (preset: string) => void }) {
  const chosen = presetOf(choices);
  const own = ['game', 'move'].includes(chosen);
  const words = (preset: string) =>
    preset === chosen && own
      ? clockWords(createMessage(choices).clock)
      : preset === 'none'
        ? t('lobby.no-clock')
        : preset;
  return (
    <Segments
      name="preset"
      class="presets"
      label={t('create.clock')}
      value={chosen}
      options={[...PRESETS, 'none', ...(own ? [chosen] : [])].map((preset) => [preset, words(preset)])}
      change={choose}
    />
  );
}

/** The bot that suits this player, once the player is known. */
function usePick(game: string, bots: Bot[] | null): { pick: Pick | null; rating: number | null } {
  const player = useApp().connection.player?.id ?? null;
  const ask = async () => ({ bots, rating: bots && (await settledRating(player, game, bots)) });
  const { answer } = useLoading(ask, [game, bots, player]);
  const rating = answer && answer.bots === bots ? answer.rating : null;
  return { pick: bots && pickBot(bots, rating, levelPlayed(game)), rating };
}
