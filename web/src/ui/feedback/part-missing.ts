import { toast } from './toasts.ts';

/**
 * Says that a part of the page did not arrive. A browser may remember a failed file for as long as the page lives, and after an update
 * of the console the file is gone, so only another load of the page helps.
 */
export function tellPartMissing(): void {
  toast.bad('A part of this page could not be loaded. Load the page again.', {
    action: { label: 'Load again', run: () => location.reload() },
  });
}
