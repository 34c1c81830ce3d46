// Buttons with a word on them.

import type { ButtonHTMLAttributes } from 'preact';
import { t } from '../i18n/language.ts';

type Props = Omit<ButtonHTMLAttributes, 'onClick'> & {
  /** The key of its word; left out where something else stands on it. */
  say?: string;
  /** What it does; what that rejects with is told elsewhere. */
  act?: () => unknown;
};

export function Button({ say, act, children, ...rest }: Props) {
  return (
    <button type="button" onClick={() => void act?.()} {...rest}>
      {say ? t(say) : children}
    </button>
  );
}

/** For what holds buttons that mean once: a second click of a double one might press what has come in their place. */
export function once(event: MouseEvent) {
  if (event.detail > 1) event.stopPropagation();
}
