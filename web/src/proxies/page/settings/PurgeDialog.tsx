import { messages } from '@homeport/contract/messages';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { type FormEvent, useId, useState } from 'react';
import { fieldProblem } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';

/** Drops cached answers of the whole domain, or of what begins with a path. */
export function PurgeDialog({ proxy, onClose }: { proxy: ProxyRecord; onClose: () => void }) {
  const formId = useId();
  const [path, setPath] = useState('');
  const purge = useAct('POST /api/proxies/:id/purge', {
    onDone: ({ purged }) => {
      toast.ok(messages.cachePurged, { detail: purged.join(', ') });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = path.trim();
    purge.mutate({ params: { id: proxy.id }, body: typed === '' ? {} : { path: typed } });
  };
  const refusal = fieldProblem(purge.error, 'path');
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      dirty={path !== '' && !purge.isPending}
      title="Purge cache"
      description={`Drops cached answers of http://${proxy.domain} and https://${proxy.domain}. Visitors get new ones from the websites.`}
      footer={
        <SubmitButtons form={formId} busy={purge.isPending} busyLabel="Purging" onCancel={onClose}>
          Purge cache
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={purge.isPending} onSubmit={submit}>
        {purge.error && !refusal && <ProblemBanner error={purge.error} />}
        <TextField
          label="Only what begins with"
          optional
          mono
          autoComplete="off"
          placeholder="/blog/"
          maxLength={proxyLimits.pathLength}
          help="Empty: everything of the domain."
          value={path}
          error={refusal}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
