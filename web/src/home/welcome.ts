import type { FirstReads } from '../data/first-reads.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { layers } from '../ui/layers.ts';
import { rememberWelcome, wasWelcomed } from './welcomed.ts';

let opened: HTMLDialogElement | null = null;

export const isWelcomeOpen = () => opened !== null;

/** Takes it away, as a page is left. */
export const closeWelcome = () => opened?.close();

/**
 * Shows the welcome, which is not in the page yet, beside the frame: it can be there first. `onAdd` leads to the page that
 * adds a keypair.
 */
export function openWelcome(dialog: HTMLDialogElement, onAdd: () => void): void {
  opened = dialog;
  // Its buttons close it by themselves, with their value: they are those of a form with the method "dialog".
  dialog.addEventListener('close', () => {
    rememberWelcome();
    opened = null;
    dialog.remove();
    if (dialog.returnValue === 'add') onAdd();
  });
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  layers().append(dialog);
  dialog.showModal();
  dialog.querySelector<HTMLElement>('[value="add"]')?.focus();
}

/** What the build has drawn into this document (documents.ts). */
function drawnWelcome(): HTMLDialogElement | null {
  const template = document.getElementById('welcome');
  const dialog =
    template instanceof HTMLTemplateElement && template.content.firstElementChild?.cloneNode(true);
  return dialog instanceof HTMLDialogElement ? dialog : null;
}

/**
 * Before the program of the frame runs: a newcomer is shown the welcome, and reads it while the rest comes. Resolves when
 * it is painted, or once it is known that there is nothing to show.
 */
export async function welcomeNewcomer({ session, data }: FirstReads, onAdd: () => void): Promise<void> {
  const dialog = wasWelcomed() ? null : drawnWelcome();
  if (!dialog) return;
  try {
    if (!(await session) || (await data['GET /api/keys'])?.length !== 0) return;
  } catch {
    return;
  }
  openWelcome(dialog, onAdd);
  await afterPaint();
}
