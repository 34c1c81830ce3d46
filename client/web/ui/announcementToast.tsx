// What the server's operator tells everybody, with a button to put it away.

import { t } from '../i18n/language.ts';
import { useApp } from './view.tsx';

export function AnnouncementToast() {
  const { announcement } = useApp();
  return (
    <div class="toast">
      {announcement.text && (
        <>
          <span>{announcement.text}</span>
          <button type="button" aria-label={t('page.dismiss')} onClick={() => announcement.dismiss()}>
            ×
          </button>
        </>
      )}
    </div>
  );
}
