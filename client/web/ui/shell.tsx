// The frame around every view: the header with navigation, messages, the footer.

import { useEffect } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { openProfile } from '../identity/profile.tsx';
import { ChallengeToast } from '../lobby/challengeToast.tsx';
import type { App } from '../main.tsx';
import { decoded, roomPath } from '../net/address.ts';
import { isRunning } from '../room/state.ts';
import { AnnouncementToast } from './announcementToast.tsx';
import { Button } from './button.tsx';
import { KeysButton } from './keys.tsx';
import { useTick } from './listen.ts';
import { Icon } from './mark.tsx';
import { monotonicMs } from './monotonicMs.ts';
import { Name } from './names.tsx';
import { openSettings } from './settingsDialog.tsx';
import { Hosted, useApp } from './view.tsx';

/** The links of the header, and on a phone of the bar at the bottom. */
const PLACES = ['play', 'learn', 'ladder', 'stats', 'explorer'] as const;
/** How often the time until the next retry is updated. */
const TELL_MS = 500;

/** @param wordmark is in the page from the start and stays the same element */
export function Shell({ wordmark }: { wordmark: Element }) {
  const app = useApp();
  return (
    <>
      <a class="skip" href="#main">
        {t('page.skip')}
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label={t('page.home')}>
          <Hosted node={wordmark} />
        </a>
        <Places />
        <Elsewhere />
        <Button class="gear" aria-label={t('settings.title')} title={t('settings.title')} act={() => openSettings(app)}>
          <Icon name="settings" />
        </Button>
        <You />
      </header>
      <main
        id="main"
        data-wait={t('page.wait')}
        ref={(main) => {
          app.main = main;
        }}
      />
      <footer class="foot">
        <KeysButton />
        <Latency />
      </footer>
      <section class="toasts" aria-label={t('page.messages')}>
        <LinkToast />
        <AnnouncementToast />
        <ChallengeToast />
        <Notice />
      </section>
      <Spoken />
    </>
  );
}

function Places() {
  const here = new URL(useApp().path, location.origin).pathname;
  return (
    <nav class="places" aria-label={t('page.places')}>
      {PLACES.map((place) => {
        const path = place === 'play' ? '/' : `/${place}`;
        return (
          <a key={place} href={path} aria-current={here === path ? 'page' : undefined}>
            <Icon name={place} />
            <span>{t(`page.${place}`)}</span>
          </a>
        );
      })}
    </nav>
  );
}

/** The player's running games, in every view except the lobby, which lists them. */
function Elsewhere() {
  const app = useApp();
  const here = decoded(new URL(app.path, location.origin).pathname);
  const games = here === '/' ? [] : app.myGames().filter(({ id }) => here !== `/room/${id}`);
  const waiting = games.filter((room) => room.mine);
  const shown = waiting.length ? waiting : games;
  const [only] = shown;
  const words =
    shown.length < 2 ? only?.label : t(waiting.length ? 'page.games.turn' : 'page.games', { count: shown.length });
  const href = shown.length === 1 ? roomPath(only.id) : '/';
  return (
    <nav class="elsewhere" aria-label={t('page.elsewhere')}>
      {only && (
        <a class={waiting.length ? 'pill urgent' : 'pill'} href={href} aria-label={words}>
          <span class="pill-words">{words}</span>
          <span class="pill-count" aria-hidden="true">
            {shown.length}
          </span>
        </a>
      )}
    </nav>
  );
}

function You() {
  const app = useApp();
  const { player, state } = app.connection;
  const name = player?.name ?? t('page.you');
  return (
    <Button
      class={state === 'open' ? 'you' : 'you away'}
      aria-label={name}
      title={t('settings.marks')}
      act={() => openProfile(app)}
    >
      <Icon name="person" />
      <Name name={name} />
    </Button>
  );
}

/** The round-trip time to the server. */
function Latency() {
  const { state, lag_ms } = useApp().connection;
  const words = state !== 'open' ? t('delay.none') : lag_ms ? t('delay.words', { ms: lag_ms }) : '';
  return <small class="muted delay">{words}</small>;
}

/** While the connection is broken, or the server refuses to greet this page. */
function LinkToast() {
  const app = useApp();
  const { state, failures, refused, retryAt } = app.connection;
  const broken = state === 'waiting' || (state === 'connecting' && failures > 0);
  useEffect(() => {
    if (broken || refused) app.say(refused?.message ?? t('page.link.lost'));
  }, [broken, refused]);
  useTick(broken ? TELL_MS : null);
  const seconds = Math.ceil((retryAt - monotonicMs()) / 1000);
  const trying = state === 'waiting' && seconds > 1 ? t('page.link.in', { seconds }) : t('page.link.trying');
  return (
    <div class="toast link" hidden={!broken && !refused}>
      {(broken || refused) && (
        <>
          {broken && <span class="spinner" aria-hidden="true" />}
          <span class="link-text">{refused?.message ?? (cost(app) || trying)}</span>
          <Button say={refused ? 'page.again' : 'page.link.now'} act={() => app.connection.retryNow()} />
        </>
      )}
    </div>
  );
}

/** What a lost connection may cost a player, in every view. */
function cost({ connection: { lostAt }, rooms }: App) {
  for (const { state } of rooms.live.values()) {
    const { absent_ms, you } = state;
    if (!absent_ms || !you || !isRunning(state) || lostAt === null) continue;
    const count = Math.ceil((lostAt + absent_ms - monotonicMs()) / 1000);
    return t(count > 0 ? 'room.absent.lost' : 'room.absent.lost.now', { count });
  }
  return '';
}

/** The one place for errors. */
function Notice() {
  const app = useApp();
  const { noticed } = app;
  return (
    <div class="toast notice" role="alert">
      {noticed !== null && (
        <>
          <span>{noticed instanceof Error ? noticed.message : String(noticed)}</span>
          <Button class="quiet" aria-label={t('page.dismiss')} act={() => app.clearNotice()}>
            ×
          </Button>
        </>
      )}
    </div>
  );
}

/** The last announcements, for screen readers. */
function Spoken() {
  return (
    <div class="spoken" role="status" aria-live="polite" aria-relevant="additions">
      {useApp().spoken.map(({ id, sentence }) => (
        <p key={id}>{sentence}</p>
      ))}
    </div>
  );
}
