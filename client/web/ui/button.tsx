// Buttons with text.

import type { ButtonHTMLAttributes } from 'preact';
import { t } from '../i18n/language.ts';

type Props = Omit<ButtonHTMLAttributes, 'onClick'> & {
  /** The key of its text; left out where it has other content. */
  say?: string;
  /** Its action; a rejection is reported elsewhere. */
  act?: () => unknown;
};

export function Button({ say, act, children, ...rest }: Props) {
  return (
    <button type="button" onClick={() => void act?.()} {...rest}>
      {say ? t(say) : children}
    </button>
  );
}

/**
 * For groups of buttons with consequences: the second click of a double click might hit a button that has just
 * appeared.
 */
export function once(event: MouseEvent) {
  if (event.detail > 1) event.stopPropagation();
}
