import type { App } from '@homeport/contract/apps/schema';
import { hostnameSchema } from '@homeport/contract/fields/schema';
import { useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { useDomainRecord } from '../../../domains/pointing/DomainRecord.tsx';
import { usePointingRecords } from '../../../domains/pointing/PointingRecords.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { OneFieldDialog } from './OneFieldDialog.tsx';

export function AddDomainDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const [domain, setDomain] = useState<string | null>(null);
  const record = useDomainRecord(app, domain);
  const add = useAct('POST /api/apps/:id/domains', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const submit = async (named: string) => {
    // The record comes first: where Cloudflare refuses it, the app is as it was.
    if (!(await record.apply())) return;
    add.mutate({ params: { id: app.id }, body: { domain: named } });
  };
  return (
    <OneFieldDialog
      title="Add domain"
      description={`${app.name} answers on it once its record points to ${app.serverName}.`}
      field={{ label: 'Domain', mono: true, autoComplete: 'off', placeholder: 'shop.example.com' }}
      name="domain"
      schema={hostnameSchema}
      action="Add domain"
      busyLabel="Adding"
      act={{ isPending: add.isPending || record.busy, error: add.error ?? record.error }}
      onSubmit={(named) => void submit(named)}
      onClose={onClose}
      onRead={setDomain}
      below={record.offer}
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
  const records = usePointingRecords('app', app.id, { domain });
  const confirm = async () => {
    const body = { domain, records: records.chosen };
    await remove.mutateAsync({ params: { id: app.id }, body }).catch((error: unknown) => {
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
    >
      {records.offer}
    </ConfirmDialog>
  );
}
