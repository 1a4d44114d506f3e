import { isMeantToRun } from '@homeport/contract/apps/health';
import { appSettingsRoutes } from '@homeport/contract/apps/settings-schema';
import { useState } from 'react';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Select } from '../../../ui/form/Select.tsx';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import { OneFieldDialog } from './OneFieldDialog.tsx';
import { sharableFolders } from './sharable-folders.ts';
import { storageTexts } from './storage-texts.ts';

const { containerPath: pathSchema } = appSettingsRoutes['POST /api/apps/:id/storage'].body.shape;

export function AddStorageDialog({ place, onClose }: { place: AppPlace; onClose: () => void }) {
  const { app } = place;
  const { state } = useOnServer('GET /api/apps/:id/storage', place, null);
  const folders = state.kind === 'ready' ? sharableFolders(state.data) : [];
  const [sharedWith, setSharedWith] = useState('');
  const [initial] = useState(folders.length === 0 ? '/app/storage' : '');
  const add = useAct('POST /api/apps/:id/storage', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const running = isMeantToRun(app);
  return (
    <OneFieldDialog
      title="Add storage"
      description={`${storageTexts.offer} ${
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
      initial={initial}
      action={running ? 'Add storage and restart' : 'Add storage'}
      busyLabel="Adding"
      act={add}
      onSubmit={(containerPath) =>
        add.mutate({
          params: { id: app.id },
          body: sharedWith === '' ? { containerPath } : { containerPath, sharedWith },
        })
      }
      onClose={onClose}
    >
      {folders.length > 0 && (
        <Select
          label="Folder on the server"
          value={sharedWith}
          onChange={({ currentTarget }) => setSharedWith(currentTarget.value)}
          options={[
            { value: '', label: 'A folder of its own' },
            ...folders.map(({ hostPath, places }) => ({
              value: hostPath,
              label: `The one at ${places.join(' and ')}, shared`,
            })),
          ]}
        />
      )}
    </OneFieldDialog>
  );
}
