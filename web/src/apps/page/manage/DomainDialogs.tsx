import type { App } from '@homeport/contract/apps/schema';
import { hostnameSchema } from '@homeport/contract/fields/schema';
import { problemText } from '../../../data/api-problem.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { OneFieldDialog } from './OneFieldDialog.tsx';

export function AddDomainDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const add = useAct('POST /api/apps/:id/domains', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  return (
    <OneFieldDialog
      title="Add domain"
      description={`${app.name} answers on it once its record points to ${app.serverName}.`}
      field={{ label: 'Domain', mono: true, autoComplete: 'off', placeholder: 'shop.example.com' }}
      name="domain"
      schema={hostnameSchema}
      action="Add domain"
      busyLabel="Adding"
      act={add}
      onSubmit={(domain) => add.mutate({ params: { id: app.id }, body: { domain } })}
      onClose={onClose}
    />
  );
}

export interface RemoveDomainDialogProps {
  app: App;
  domain: string;
  onClose: () => void;
}

export function RemoveDomainDialog({ app, domain, onClose }: RemoveDomainDialogProps) {
  const remove = useAct('POST /api/apps/:id/domains/remove', {
    onDone: (operation) => openOperation(operation.id),
  });
  const confirm = async () => {
    await remove.mutateAsync({ params: { id: app.id }, body: { domain } }).catch((error: unknown) => {
      throw new Error(problemText(error));
    });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${domain}?`}
      description={
        app.domains.length > 1
          ? `${app.name} stops answering there. Its other domains stay.`
          : `${app.name} stops answering there, and has no other domain: nobody reaches it by name then.`
      }
      action="Remove domain"
      busyLabel="Removing"
      onConfirm={confirm}
    />
  );
}
