import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { losesUnsaved } from './loses-unsaved.ts';

const ConfirmDialog = lazy(async () => ({ default: (await import('./ConfirmDialog.tsx')).ConfirmDialog }));

interface LeaveGuardProps {
  /** The sentence that says what would be lost. */
  unsaved: string;
  /**
   * Whether something is unsaved now. Without it, something is for as long as the guard stands in the page. `action` is that of the
   * router's history; null where the tab is reloaded or closed.
   */
  holds?: (action: string | null) => boolean;
}

/** Asks before the page, the tab or the browser is left while something is unsaved. */
export function LeaveGuard({ unsaved, holds = () => true }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next, action }) => losesUnsaved(current, next) && holds(action),
    enableBeforeUnload: () => holds(null),
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        open
        title="Leave without saving?"
        description={unsaved}
        action="Leave this page"
        busyLabel="Leaving"
        onConfirm={async () => blocker.proceed()}
        onClose={() => blocker.reset()}
      />
    </Suspense>
  );
}
