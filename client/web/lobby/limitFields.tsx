// A bot's limit per move: its kind and its value.

import { t } from '../i18n/language.ts';
import { NumberField, SelectField } from '../ui/fields.tsx';
import type { Choices } from './createMessage.ts';
import { BOUNDS, LIMITS } from './createMessage.ts';

type Limit = Pick<Choices, 'limit' | 'limitValue'>;

export function LimitFields(props: Limit & { wrong: string; change: (changes: Partial<Limit>) => void }) {
  const { limit, limitValue, wrong, change } = props;
  return (
    <div class="field-row">
      <SelectField
        name="limit"
        label={t('create.limit')}
        value={limit}
        options={LIMITS.map((each) => [each, t(`create.limit.${each}`)])}
        change={(each) => change({ limit: each as Limit['limit'] })}
      />
      {limit !== 'none' && (
        <NumberField
          key={limit}
          name="limitValue"
          label={t('create.limit.value')}
          {...BOUNDS[limit]}
          value={limitValue}
          wrong={wrong}
          change={(value) => change({ limitValue: value })}
        />
      )}
    </div>
  );
}
