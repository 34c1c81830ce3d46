// Learning a game: its rules in a picture and three sentences, a guided first game, and puzzles. Loaded on demand.

import { useRef } from 'preact/hooks';
import { picture } from '../board/picture.ts';
import { gameName, gameSentences } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import { learnPath } from '../net/address.ts';
import { botName, isLevels } from '../net/catalog.ts';
import type { Rules } from '../types/page.d.ts';
import { Unloaded, useLoading, worded } from '../ui/unloaded.tsx';
import { Hosted, useApp, useTitle } from '../ui/view.tsx';
import { GuidedGame } from './guidedGame.tsx';
import { rulesPicture } from './picture.ts';
import type { Puzzle } from './puzzle.ts';
import { Puzzles, puzzlesOf } from './puzzles.tsx';

/** Parts of a game's page, by the fragment of the address. */
const PARTS = ['rules', 'game', 'puzzles'];

/** All games. */
export function LearnPage() {
  const app = useApp();
  const { answer: found, error, load } = useLoading(() => app.catalog.games(), []);
  if (error && !found) return <Unloaded error={error} retry={load} />;
  return (
    <div class="learn">
      <h1 tabIndex={-1}>{t('learn.title')}</h1>
      <p class="learn-lead">{t('learn.lead')}</p>
      <ul class="learn-games">
        {found?.map((rules) => (
          <li key={rules.id}>
            <a class="learn-card" href={learnPath(rules.id)}>
              <Drawn make={() => picture(rules)} />
              <span>{gameName(rules)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A drawing, created once. */
function Drawn({ make }: { make: () => Element }) {
  const drawing = useRef<Element>(null);
  drawing.current ??= make();
  return <Hosted class="drawn" node={drawing.current} />;
}

/** One game. */
export function LearnGamePage({ game, part: asked }: { game: string; part: string }) {
  const app = useApp();
  const part = PARTS.includes(asked) ? asked : 'rules';
  const find = async () => {
    const rules = await app.catalog.rules(game);
    return { rules, puzzles: await puzzlesOf(rules.id) };
  };
  const { answer: found, error, load } = useLoading(find, []);
  const title = found && t('learn.game', { game: gameName(found.rules) });
  useTitle(title);
  if (error && !found)
    return <Unloaded error={worded(error, t('learn.missing', { reason: error.message }))} retry={load} />;
  return (
    <div class="learn">
      <div class="learn-head">
        <h1 tabIndex={-1}>{title ?? t('learn.title')}</h1>
        <a class="learn-all" href="/learn">
          {t('learn.all')}
        </a>
      </div>
      <nav class="learn-parts" aria-label={t('learn.parts')}>
        {found &&
          PARTS.map((each) => (
            <a key={each} href={learnPath(found.rules.id, each)} aria-current={each === part ? 'page' : undefined}>
              {t(`learn.part.${each}`)}
            </a>
          ))}
      </nav>
      <div class="learn-body">{found && <Part {...found} part={part} />}</div>
    </div>
  );
}

function Part({ rules, puzzles, part }: { rules: Rules; puzzles: Puzzle[]; part: string }) {
  const app = useApp();
  if (part === 'rules') return <Sentences rules={rules} hasPuzzles={puzzles.length > 0} />;
  if (part === 'puzzles')
    return puzzles.length ? <Puzzles rules={rules} puzzles={puzzles} /> : <p class="empty">{t('learn.no-puzzles')}</p>;
  /** A game against the easiest bot. */
  const playReal = async () => {
    const bots = await app.catalog.bots(rules.id);
    const levels = bots.find(isLevels);
    const easiest = levels ? botName(levels, [levels.parameters[0].min ?? 1]) : bots[0].name;
    await app.make({ game: rules.id, seat: 'x', opponent: { kind: 'bot', bot: easiest } });
  };
  return <GuidedGame rules={rules} hasPuzzles={puzzles.length > 0} playReal={() => void app.attempt(playReal)} />;
}

function Sentences({ rules, hasPuzzles }: { rules: Rules; hasPuzzles: boolean }) {
  const made = useRef<ReturnType<typeof rulesPicture>>(null);
  made.current ??= rulesPicture(rules);
  const { drawing, captions } = made.current;
  return (
    <div class="learn-rules">
      <figure class="learn-picture stack">
        <Hosted class="drawn" node={drawing} />
        <figcaption>
          {captions.length === 1 ? (
            captions[0]
          ) : (
            <ol class="learn-legend">
              {captions.map((caption) => (
                <li key={caption}>{caption}</li>
              ))}
            </ol>
          )}
        </figcaption>
      </figure>
      <div class="learn-sentences stack">
        <ol>
          {gameSentences(rules).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
        <div class="learn-tools">
          <a class="button primary big" href={learnPath(rules.id, 'game')}>
            {t('learn.to-game')}
          </a>
          {hasPuzzles && (
            <a class="button big" href={learnPath(rules.id, 'puzzles')}>
              {t('learn.to-puzzles')}
            </a>
          )}
        </div>
      </div>
    </div>
  );
}
