import type { App } from '@homeport/contract/apps/schema';
import { problemText } from '../../../data/api-problem.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';

export interface DestroyDialogProps {
  app: App;
  /** Resolves once the operation has begun. */
  destroy: () => Promise<unknown>;
  onClose: () => void;
}

export function DestroyDialog({ app, destroy, onClose }: DestroyDialogProps) {
  const confirm = async () => {
    try {
      await destroy();
    } catch (error) {
      throw new Error(problemText(error));
    }
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Destroy ${app.name}?`}
      description={`Its code, its containers and what Dokku keeps of it are deleted from ${app.serverName}. This cannot be undone.`}
      action="Destroy app"
      busyLabel="Destroying"
      typed="destroy"
      onConfirm={confirm}
    >
      {app.domains.length > 0 && (
        <div className={classNames(layout.stack, layout.gap2)}>
          <p className={typography.small}>These addresses stop answering:</p>
          <ul className={classNames(typography.small, typography.monospace)}>
            {app.domains.map((domain) => (
              <li key={domain}>{domain}</li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  );
}
