import type { App } from '@homeport/contract/apps/schema';
import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import typography from '../../../ui/text/typography.module.css';

export interface RemoveContainersDialogProps {
  app: Pick<App, 'id' | 'serverName'>;
  names: readonly string[];
  ids: string[];
  onClose: () => void;
}

/** Asks before containers that failed deploys left are removed. */
export function RemoveContainersDialog({ app, names, ids, onClose }: RemoveContainersDialogProps) {
  const remove = useAct('POST /api/apps/:id/left-containers/remove', {
    onDone: ({ id }) => openOperation(id),
  });
  const one = ids.length === 1;
  const confirm = async () => {
    try {
      await remove.mutateAsync({ params: { id: app.id }, body: { containers: ids } });
    } catch (error) {
      throw new Error(problemText(error));
    }
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={one ? 'Remove this container?' : `Remove ${ids.length} containers?`}
      description={`${one ? 'It' : 'They'} and what was written inside ${one ? 'it' : 'them'} are deleted from ${app.serverName}. The server first checks that ${one ? 'it was' : 'each was'} left by a failed deploy and that the app does not use it.`}
      action={one ? 'Remove container' : 'Remove containers'}
      busyLabel="Removing"
      onConfirm={confirm}
    >
      <ul className={classNames(typography.small, typography.monospace)}>
        {names.slice(0, ids.length).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
