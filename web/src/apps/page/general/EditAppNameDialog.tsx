import { type App, appSchema } from '@homeport/contract/apps/schema';
import { call } from '../../../data/call.ts';
import { EditNameDialog } from '../../../edit-name/EditNameDialog.tsx';

export function EditAppNameDialog({ app, onClose }: { app: App; onClose: () => void }) {
  return (
    <EditNameDialog
      record={app}
      kind={{ schema: appSchema, topic: 'apps' }}
      description={`Its name on the server stays ${app.longname}.`}
      send={(name, { id, version }) =>
        call('PATCH /api/apps/:id', { params: { id }, body: { version, name } })
      }
      onClose={onClose}
    />
  );
}
