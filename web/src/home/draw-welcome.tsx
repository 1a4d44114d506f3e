import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { WelcomeDialog } from './WelcomeDialog.tsx';

/** Draws the same welcome dialog as the build. */
export function drawWelcome(): HTMLDialogElement {
  const host = document.createElement('div');
  flushSync(() => createRoot(host).render(<WelcomeDialog />));
  const dialog = host.querySelector('dialog');
  if (!dialog) throw new Error('The welcome was not drawn.');
  return dialog;
}
