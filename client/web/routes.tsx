// Which view a path shows. Views other than the lobby are loaded on demand.

import type { VNode } from 'preact';
import { t } from './i18n/language.ts';
import { lobbyView } from './lobby/view.tsx';
import type { App, View } from './main.tsx';
import { decoded } from './net/address.ts';
import { drawnView } from './ui/view.tsx';
import { viewsSheet } from './ui/viewsSheet.ts';

/** The view, or a promise of it while its module loads; null for an unknown path. */
export function route(app: App, path: string): View | Promise<() => View> | null {
  const { pathname, searchParams: query, hash: fragment } = new URL(path, location.origin);
  const [place, name, ...more] = pathname.split('/').filter(Boolean).map(decoded);
  const hash = decoded(fragment.slice(1));
  const later = <Module,>(coming: Promise<Module>, title: string, draw: (module: Module) => VNode) =>
    styled(coming).then((module) => () => drawnView(app, title, draw(module)));

  if (more.length) return null;
  if (name === undefined)
    switch (place) {
      case undefined:
        if (!hash.startsWith('create')) return lobbyView(app);
        return import('./lobby/create.tsx').then(
          ({ createView }) =>
            () =>
              createView(app, given(hash)),
        );
      case 'explorer':
        return later(import('./explore/view.tsx'), t('explorer.title'), ({ ExplorerPage }) => (
          <ExplorerPage query={query} />
        ));
      case 'ladder':
        return later(import('./ladder/view.tsx'), t('ladder.title'), ({ Ladder }) => <Ladder query={query} />);
      case 'stats':
        return later(import('./stats/view.tsx'), t('stats.title'), ({ Stats }) => <Stats />);
      case 'learn':
        return later(import('./learn/view.tsx'), t('learn.title'), ({ LearnPage }) => <LearnPage />);
      default:
        return null;
    }
  switch (place) {
    case 'room':
    case 'join': {
      const [id, code] = place === 'room' ? [name, hash || null] : [null, name];
      return later(roomPart(), t('room.title'), ({ RoomPage }) => <RoomPage id={id} code={code} />);
    }
    case 'game':
      return later(import('./record/view.tsx'), t('record.title'), ({ RecordPage }) => (
        <RecordPage key={path} id={name} query={query} hash={hash} />
      ));
    case 'player':
      return later(import('./ladder/player.tsx'), t('player.title'), ({ Player }) => <Player id={name} />);
    case 'learn':
      return later(import('./learn/view.tsx'), t('learn.title'), ({ LearnGamePage }) => (
        <LearnGamePage game={name} part={hash} />
      ));
    default:
      return null;
  }
}

/** Requested together with a room, so it loads while the server makes the room. */
export function roomPart() {
  return styled(import('./room/view.tsx'));
}

/** With the stylesheet that it needs. */
async function styled<Module>(coming: Promise<Module>) {
  const [module] = await Promise.all([coming, viewsSheet()]);
  return module;
}

/** `create`, `create=bots`, `create=player:ID`, `create=bot:NAME` */
function given(hash: string) {
  const value = hash.slice('create='.length);
  if (value.startsWith('player:')) return { who: 'player', player: value.slice('player:'.length) };
  if (value.startsWith('bot:')) return { who: 'bot', bot: value.slice('bot:'.length) };
  return value ? { who: value } : {};
}
