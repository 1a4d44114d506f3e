import { lazy, Suspense, useSyncExternalStore } from 'react';
import { confirmationStore } from '../data/confirmation.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('./ConfirmDialog.tsx')).ConfirmDialog,
}));

/** Shows the dialog that asks the person who they are. Mounted once, in the frame. */
export function Confirmations() {
  const asked = useSyncExternalStore(confirmationStore.subscribe, confirmationStore.current);
  if (!asked) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog onAnswer={asked.answer} />
    </Suspense>
  );
}
