// The form's choice of a game: one from the list, or a board of any size, with its rules below.

import { useSignal } from '@preact/signals';
import { EXACT } from '../i18n/gameWords.ts';
import { t } from '../i18n/language.ts';
import type { Rules } from '../types/page.d.ts';
import { CheckField, NumberField, SelectField } from '../ui/fields.tsx';
import { Picture } from './view.tsx';

type GameProps = { games: Rules[]; game: string; wrong: string; change: (game: string) => void };

/** A game from the list, or a board of any size. */
export function GameFields({ games, game, wrong, change }: GameProps) {
  const sizes = /^mnk:([^,]*),([^,]*),([^,]*)/.exec(game);
  const listed = games.some((rules) => rules.id === game);
  /** A custom board may have the size of a listed one. */
  const any = useSignal(!listed);
  const shown = useSignal(sizes?.slice(1) ?? ['6', '5', '4']);
  const exact = useSignal(game.endsWith(EXACT));
  const changeAny = () => change(`mnk:${shown.value.join(',')}${exact.value ? EXACT : ''}`);
  const choose = (id: string) => {
    any.value = id === 'mnk';
    if (any.value) changeAny();
    else change(id);
  };
  const size = (at: number, name: string, label: string) => (
    <NumberField
      name={name}
      label={label}
      value={shown.value[at]}
      min={3}
      max={20}
      step="1"
      text={(value) => {
        shown.value = shown.value.map((before, i) => (i === at ? value : before));
        changeAny();
      }}
    />
  );
  return (
    <div class="stack">
      <SelectField
        name="game"
        label={t('create.game.which')}
        value={any.value ? 'mnk' : game}
        options={[...games.map((rules) => [rules.id, rules.name]), ['mnk', t('create.game.any')]]}
        wrong={wrong}
        change={choose}
      />
      {any.value && (
        <>
          <div class="field-row">
            {size(0, 'm', t('create.columns'))}
            {size(1, 'n', t('create.rows'))}
            {size(2, 'k', t('create.in-a-row'))}
          </div>
          <CheckField
            name="exact"
            label={t('create.exact')}
            checked={exact.value}
            change={(on) => {
              exact.value = on;
              changeAny();
            }}
          />
        </>
      )}
    </div>
  );
}

/** The rules of the chosen game as far as they are known, or what is wrong with it. */
export function RulesBox({ rules, wrong }: { rules: Rules | null; wrong: string }) {
  return (
    <div class={wrong ? 'rules-box bad' : 'rules-box'} aria-live="polite">
      {wrong && <p>{wrong}</p>}
      {!wrong && rules && (
        <>
          <Picture key={rules.id} rules={rules} />
          <div>
            <h2>{rules.name}</h2>
            <p>{rules.sentences.join(' ')}</p>
          </div>
        </>
      )}
    </div>
  );
}
