import type { App } from '@homeport/contract/apps/schema';
import { appSettingsRoutes } from '@homeport/contract/apps/settings-schema';
import { storageCapGb } from '@homeport/contract/limits';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { appStatus } from '../../app-status.ts';
import { OneFieldDialog } from './OneFieldDialog.tsx';

const { containerPath: pathSchema } = appSettingsRoutes['POST /api/apps/:id/storage'].body.shape;

export function AddStorageDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const add = useAct('POST /api/apps/:id/storage', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const running = appStatus(app) === 'running';
  return (
    <OneFieldDialog
      title="Add storage"
      description={`A folder of up to ${storageCapGb} GB that outlives deploys. ${
        running
          ? 'The app restarts once, so that it sees the folder.'
          : 'The app sees it from its next start on.'
      }`}
      field={{
        label: 'Folder in the app',
        mono: true,
        autoComplete: 'off',
        help: 'An absolute path. What the app writes there is kept.',
      }}
      name="containerPath"
      schema={pathSchema}
      initial="/app/storage"
      action={running ? 'Add storage and restart' : 'Add storage'}
      busyLabel="Adding"
      act={add}
      onSubmit={(containerPath) => add.mutate({ params: { id: app.id }, body: { containerPath } })}
      onClose={onClose}
    />
  );
}
