import type { FirstReads } from '../data/first-reads.ts';
import { rememberOpened, wasOpened } from '../data/opened-once.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { layers } from '../ui/layers.ts';

let opened: HTMLDialogElement | null = null;

export const isWelcomeOpen = () => opened !== null;

/** Removes the welcome when the user leaves the page. */
export const closeWelcome = () => opened?.close();

/**
 * Shows the welcome dialog, which is not in the page yet. The dialog stands beside the frame, because it may
 * appear before the frame. `account` is the user's id. `onAdd` opens the page that adds a keypair.
 */
export function openWelcome(dialog: HTMLDialogElement, account: string, onAdd: () => void): void {
  opened = dialog;
  // The dialog's buttons belong to a form with the method "dialog", so they close it by themselves and set
  // its value.
  dialog.addEventListener('close', () => {
    rememberOpened('homeport.welcomed', account);
    opened = null;
    dialog.remove();
    if (dialog.returnValue === 'add') onAdd();
  });
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  layers().append(dialog);
  dialog.showModal();
  dialog.querySelector<HTMLElement>('[value="add"]')?.focus();
}

/** The welcome dialog that the build has drawn into this document (documents.ts). */
function drawnWelcome(): HTMLDialogElement | null {
  const template = document.getElementById('welcome');
  const dialog =
    template instanceof HTMLTemplateElement && template.content.firstElementChild?.cloneNode(true);
  return dialog instanceof HTMLDialogElement ? dialog : null;
}

/**
 * Shows the welcome to a new user before the frame's program runs, so that the user can read it meanwhile.
 * Resolves after the paint, or as soon as there is nothing to show.
 */
export async function welcomeNewcomer({ session, data }: FirstReads, onAdd: () => void): Promise<void> {
  const dialog = drawnWelcome();
  if (!dialog) return;
  try {
    const account = (await session)?.user.id;
    if (account === undefined || wasOpened('homeport.welcomed', account)) return;
    if ((await data['GET /api/keys'])?.length !== 0) return;
    openWelcome(dialog, account, onAdd);
  } catch {
    return;
  }
  await afterPaint();
}
