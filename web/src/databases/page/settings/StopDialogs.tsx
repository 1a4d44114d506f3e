import type { Database } from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { orSentence } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { exposedAt } from '../../exposure-text.ts';
import { linkedName } from '../../links/link-texts.ts';

interface StopDialogProps {
  database: Database;
  onClose: () => void;
}

const show = { onDone: (operation: Operation) => openOperation(operation.id) };

/** Pauses the database. Names the apps that lose it. */
export function StopDialog({ database, onClose }: StopDialogProps) {
  const { id, name, links } = database;
  const stop = useAct('POST /api/databases/:id/stop', show);
  const apps = links.map(linkedName).join(', ');
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Stop ${name}?`}
      description={`Its data stay. ${
        links.length === 0
          ? 'No app is linked to it.'
          : `${links.length === 1 ? 'An app' : 'Apps'} that cannot reach it until it starts again: ${apps}.`
      }`}
      action="Stop"
      busyLabel="Stopping"
      onConfirm={() => orSentence(stop.mutateAsync({ params: { id } }))}
    />
  );
}

/** Closes the ports of the server that lead to the database. */
export function UnexposeDialog({ database, onClose }: StopDialogProps) {
  const { id, name, ports } = database;
  const unexpose = useAct('POST /api/databases/:id/unexpose', show);
  const one = ports.length === 1;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={one ? `Close the port of ${name}?` : `Close the ports of ${name}?`}
      description={`Whatever reaches it on ${ports.map(exposedAt).join(', ')} loses it. Linked apps do not notice: they reach it inside the server.`}
      action={one ? 'Close the port' : 'Close the ports'}
      busyLabel="Closing"
      onConfirm={() => orSentence(unexpose.mutateAsync({ params: { id } }))}
    />
  );
}
