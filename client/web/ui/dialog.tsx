// Modal dialogs drawn by components.

import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import type { App } from '../main.tsx';
import { AppContext } from './view.tsx';

/**
 * Opens a dialog with the content of `draw`. The element with the id `dialog-title` names it.
 * @param draw gets a function that closes it
 */
export function openDialog(app: App, draw: (close: () => void) => ComponentChildren, name = ''): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = name;
  dialog.setAttribute('aria-labelledby', TITLE);
  dialog.addEventListener('close', () => {
    render(null, dialog);
    dialog.remove();
  });
  render(<AppContext.Provider value={app}>{draw(() => dialog.close())}</AppContext.Provider>, dialog);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const TITLE = 'dialog-title';

/** Where the focus begins: screen readers first read what the dialog is about. */
export function DialogTitle({ children }: { children: ComponentChildren }) {
  return (
    <h2 id={TITLE} tabIndex={-1} autofocus>
      {children}
    </h2>
  );
}

/** An error message, announced when it appears; empty if there is none. */
export function Complaint({ id, children }: { id?: string; children: string }) {
  return children ? (
    <p class="bad" role="alert" id={id}>
      {children}
    </p>
  ) : null;
}
