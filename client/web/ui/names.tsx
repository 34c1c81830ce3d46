// Names of people and bots.

import { playerName } from '../i18n/botWords.ts';
import { playerPath } from '../net/address.ts';

/**
 * A name that somebody chose: isolated, so that right-to-left letters do not reorder the words around it. Names of bots
 * may break before their parameters.
 */
export function Name({ name }: { name: string }) {
  const parts = name.split(/([^:,]*[:,])/).filter(Boolean);
  return <bdi class="name">{parts.map((part, i) => (i > 0 ? [<wbr key={part} />, part] : part))}</bdi>;
}

/** A name that links to the player's page; a bot's in words. */
export function PlayerLink({ player }: { player: { id: string; name: string; kind?: 'bot' | 'person' } }) {
  return (
    <a class="player" href={playerPath(player.id)}>
      <Name name={playerName(player)} />
    </a>
  );
}
