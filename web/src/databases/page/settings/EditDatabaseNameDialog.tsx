import { type Database, databaseSchema } from '@homeport/contract/databases/schema';
import { call } from '../../../data/call.ts';
import { EditNameDialog } from '../../../edit-name/EditNameDialog.tsx';

export function EditDatabaseNameDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  return (
    <EditNameDialog
      record={database}
      kind={{ schema: databaseSchema, topic: 'databases' }}
      description={`Its name on the server stays ${database.longname}.`}
      send={(name, { id, version }) =>
        call('PATCH /api/databases/:id', { params: { id }, body: { version, name } })
      }
      onClose={onClose}
    />
  );
}
