import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from './ConfirmDialog.tsx';

/** Asks before the page, the tab or the browser is left. Stands in the page only while something is unsaved. */
export function LeaveGuard({ unsaved }: { unsaved: string }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => losesUnsaved(current, next),
    enableBeforeUnload: true,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title="Leave without saving?"
      description={unsaved}
      action="Leave this page"
      busyLabel="Leaving"
      onConfirm={async () => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  );
}

interface Address {
  pathname: string;
}

/** Sections and filters of the same page keep what is unsaved. */
export const losesUnsaved = (current: Address, next: Address): boolean => current.pathname !== next.pathname;
