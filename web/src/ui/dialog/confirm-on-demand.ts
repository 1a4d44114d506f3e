import { onDemand } from '../on-demand.tsx';

/** The question before an act, for a page whose first load does without dialogs. Draw it only while it is open. */
export const ConfirmDialog = onDemand(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog);
