import { restoring } from '@homeport/contract/databases/facts';
import type { Database, Dump } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { useQueryClient } from '@tanstack/react-query';
import { orSentence } from '../../../data/problem-text.ts';
import { onServerKey } from '../../../data/query-keys.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { formatBytes, formatDateTime } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { linkedName } from '../../links/link-texts.ts';

interface DumpDialogProps {
  database: Database;
  dump: Dump;
  onClose: () => void;
}

/** Says what the restore replaces, and that the present state is kept first. */
export function RestoreDialog({ database, dump, onClose }: DumpDialogProps) {
  const { id, name, type, links } = database;
  const facts = databaseTypeOf(type).dump;
  const restore = useAct('POST /api/databases/:id/dumps/:dump/restore', {
    onDone: (operation) => openOperation(operation.id),
  });
  const params = { id, dump: dump.id };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Restore ${name}?`}
      description={`Replaces the data of ${name} by the dump of ${formatDateTime(dump.madeAt)}, ${formatBytes(dump.bytes)}.`}
      action="Restore dump"
      busyLabel="Restoring"
      typed={restoring.word}
      onConfirm={() => orSentence(restore.mutateAsync({ params, body: { confirmation: restoring.word } }))}
    >
      <ul className={typography.small}>
        {facts.kind === 'file' && <li>{facts.replaces}</li>}
        <li>
          First a dump of the present state is made and kept. If that fails, nothing is replaced. An empty
          database has nothing to keep.
        </li>
        {links.length > 0 && (
          <li>
            {links.map(linkedName).join(', ')} {links.length === 1 ? 'reads' : 'read'} it meanwhile and may
            show errors.
          </li>
        )}
      </ul>
    </ConfirmDialog>
  );
}

/** Says what the test makes on the server, and that the database itself is left alone. */
export function TestDumpDialog({ database, dump, onClose }: DumpDialogProps) {
  const { id, name, serverName } = database;
  const test = useAct('POST /api/databases/:id/dumps/:dump/test', {
    onDone: (operation) => openOperation(operation.id),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Test this dump?"
      description={`Restores the dump of ${formatDateTime(dump.madeAt)}, ${formatBytes(dump.bytes)}, into a database made for the test on ${serverName}, and counts what is there.`}
      action="Test dump"
      busyLabel="Beginning"
      onConfirm={() => orSentence(test.mutateAsync({ params: { id, dump: dump.id } }))}
    >
      <ul className={typography.small}>
        <li>
          {name} is not touched. No other work on {name} begins until the test has ended.
        </li>
        <li>
          The test needs as much disk and memory as {name} for its time. Its database is removed afterwards.
        </li>
      </ul>
    </ConfirmDialog>
  );
}

export function DeleteDumpDialog({ database, dump, onClose }: DumpDialogProps) {
  const client = useQueryClient();
  const remove = useAct('DELETE /api/databases/:id/dumps/:dump', {
    onDone: () =>
      client.invalidateQueries({ queryKey: onServerKey('GET /api/databases/:id/dumps', database.id) }),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete this dump?"
      description={`The dump of ${formatDateTime(dump.madeAt)}, ${formatBytes(dump.bytes)}, is deleted from ${database.serverName}. The database stays as it is. This cannot be undone.`}
      action="Delete dump"
      busyLabel="Deleting"
      onConfirm={() => orSentence(remove.mutateAsync({ params: { id: database.id, dump: dump.id } }))}
    />
  );
}
