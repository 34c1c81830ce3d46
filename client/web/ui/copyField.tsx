// Links to copy or share.

import { useRef, useState } from 'preact/hooks';
import { t } from '../i18n/language.ts';
import { Button } from './button.tsx';
import { useApp } from './view.tsx';

/** @param share false for a secret, which is not offered to the system's share dialog */
export function CopyField({ link, label, share = true }: { link: string; label: string; share?: boolean }) {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(link);
      app.say(t('link.said'));
    } catch {
      field.current?.focus(); // at least selected: without https a page may not write to the clipboard
      field.current?.select();
    }
  };
  return (
    <div class="copy">
      <input ref={field} type="text" readOnly value={link} aria-label={label} onFocus={() => field.current?.select()} />
      <Button say={copied === link ? 'link.copied' : 'link.copy'} class="primary" act={copy} />
      {share && 'share' in navigator && (
        <Button say="link.share" act={() => navigator.share({ url: link }).catch(() => {})} />
      )}
    </div>
  );
}
