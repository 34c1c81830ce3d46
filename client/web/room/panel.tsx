// The panel beside the board: actions, moves, rules, chat and what a bot thinks. The chat is below the moves if there
// is room and somebody to talk to; otherwise it is a tab.

import type { Signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { MoveList } from '../record/moveList.tsx';
import type { RoomState, Rules } from '../types/page.d.ts';
import { Button } from '../ui/button.tsx';
import { openSettings } from '../ui/settingsDialog.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Hosted, useApp } from '../ui/view.tsx';
import { Actions } from './actions.tsx';
import { Chat, heard } from './chat.tsx';
import type { Hand } from './hand.ts';
import { Simulation } from './simulation.tsx';
import { isRunning } from './state.ts';
import { Thinking, useSearches } from './thinking.tsx';

type Props = {
  hand: Hand;
  muted: Signal<boolean>;
  tab: Signal<string>;
  unfolded: Signal<boolean>;
  chatBeside: boolean;
};

export function Panel({ hand, muted, tab, unfolded, chatBeside }: Props) {
  const { room, rules, typed } = hand;
  const { state } = room;
  const searches = useSearches(hand);
  const [pointed, setPointed] = useState<number | null>(null);
  const unread = useUnread(state, muted.value, chatBeside || tab.value === 'chat');
  const chat = <Chat room={state.room} lines={state.chat} muted={muted} />;
  const badge = unread ? { text: String(unread), meaning: t('chat.unread', { count: unread }) } : null;
  const { moves, start } = state.game;
  const tabs = [
    {
      id: 'moves',
      label: t('moves.title'),
      content: <MoveList {...{ moves, start, searches }} onPoint={setPointed} />,
    },
    ...(chatBeside ? [] : [{ id: 'chat', label: t('chat.title'), badge, content: chat }]),
    { id: 'rules', label: t('room.rules'), content: <TheRules rules={rules} kind={hand.board.geometry.kind} /> },
  ];
  const plays = state.you !== null && isRunning(state);
  typed.node.hidden = !plays;
  typed.node.classList.toggle('kept', state.you !== null); // reserved, so that nothing jumps at the end
  return (
    <section class="panel side-panel stack" aria-label={t('room.panel')}>
      <Actions hand={hand} />
      <Simulation room={room} />
      <Tabs
        label={t('room.panel')}
        tabs={tabs}
        chosen={tabs.some(({ id }) => id === tab.value) ? tab.value : 'moves'}
        onChoose={(id) => (tab.value = id)}
      />
      <Hosted node={typed.node} class="hosted" />
      <Thinking hand={hand} searches={searches} pointed={pointed} unfolded={unfolded} />
      {chatBeside && (
        <div class="chat-beside stack tight">
          <h2>{t('chat.title')}</h2>
          {chat}
        </div>
      )}
    </section>
  );
}

function TheRules({ rules, kind }: { rules: Rules; kind: string }) {
  const app = useApp();
  return (
    <div class="rules stack tight">
      {rules.sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p class="muted">{t(`room.keys.${kind}`)}</p>
      <div>
        <Button say="settings.open" act={() => openSettings(app)} />
      </div>
    </div>
  );
}

/** How many lines by others arrived while the chat was hidden. */
function useUnread(state: RoomState, muted: boolean, seen: boolean) {
  const { connection } = useApp();
  const me = connection.player?.id ?? null;
  const others = heard(state.chat, me, muted).filter((line) => line.by.id !== me);
  const newest = others.at(-1)?.ts ?? 0;
  const [read, setRead] = useState(newest);
  useEffect(() => {
    if (seen && newest > read) setRead(newest);
  }, [seen, newest]);
  return seen ? 0 : others.filter((line) => line.ts > read).length;
}
