// A table of the statistics.

import type { ComponentChildren } from 'preact';
import { t } from '../i18n/language.ts';
import { Across } from '../ui/across.tsx';

/** @param props.heads by name, or texts that are known already; the first is of the row's head */
export function DataTable(props: {
  label: string;
  caption: string;
  heads: string[];
  texts?: number;
  children: ComponentChildren;
}) {
  const { label, caption, heads, texts = 1, children } = props;
  return (
    <Across label={label}>
      <table class="data">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((name, i) => (
              <th key={name} scope="col" class={i >= texts ? 'num' : undefined}>
                {t(`stats.head.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Across>
  );
}
