import type { KeptRelease } from '@homeport/contract/apps/releases/schema';
import type { App } from '@homeport/contract/apps/schema';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';

export interface DeleteVersionDialogProps {
  app: Pick<App, 'id' | 'serverName'>;
  release: KeptRelease;
  name: string;
  onClose: () => void;
}

/** Asks before the image of a kept version is deleted. */
export function DeleteVersionDialog({ app, release, name, onClose }: DeleteVersionDialogProps) {
  const remove = useAct('POST /api/apps/:id/releases/remove', { onDone: ({ id }) => openOperation(id) });
  const confirm = async () => {
    try {
      await remove.mutateAsync({ params: { id: app.id }, body: { release: release.id } });
    } catch (error) {
      throw new Error(problemText(error));
    }
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the kept image of ${name}?`}
      description={`${app.serverName} deletes the image and the files that it kept with it. ${release.serving ? 'The app runs on: it has an image of its own.' : 'Going back to this version takes a build from then on.'}${release.holdsVariables ? ' The image holds the values that the app’s variables had when it was built; where the app went back to it, the app’s own image holds them until the next build.' : ''}`}
      action="Delete image"
      busyLabel="Deleting"
      typed="delete"
      onConfirm={confirm}
    />
  );
}
