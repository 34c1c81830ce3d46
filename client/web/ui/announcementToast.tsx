// The server operator's announcement, with a button that dismisses it.

import { t } from '../i18n/language.ts';
import { Button } from './button.tsx';
import { useApp } from './view.tsx';

export function AnnouncementToast() {
  const { announcement } = useApp();
  return (
    <div class="toast">
      {announcement.text && (
        <>
          <span>{announcement.text}</span>
          <Button aria-label={t('page.dismiss')} act={() => announcement.dismiss()}>
            ×
          </Button>
        </>
      )}
    </div>
  );
}
