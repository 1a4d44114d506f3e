import type { Database } from '@homeport/contract/databases/schema';
import { orSentence } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { useScheduleChanged } from './use-schedule.ts';

export function RemoveScheduleDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const changed = useScheduleChanged(database.id);
  const remove = useAct('DELETE /api/databases/:id/schedule', { onDone: () => void changed() });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Remove the schedule?"
      description={`${database.serverName} makes no more backups of ${database.name} by itself, and forgets the access key and secret. Dumps and copies that are there stay.`}
      action="Remove schedule"
      busyLabel="Removing"
      onConfirm={() => orSentence(remove.mutateAsync({ params: { id: database.id } }))}
    />
  );
}
