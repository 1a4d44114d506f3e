import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import type { OperatedStatusPage } from '@homeport/contract/status-pages/schema';
import { type FormEvent, useId, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { TextField } from '../../ui/form/Field.tsx';
import { focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';

/** Asks why a page goes: its person reads the reason. */
export function TakeDownDialog({ page, onClose }: { page: OperatedStatusPage; onClose: () => void }) {
  const { id, slug, title, person } = page;
  const formId = useId();
  const box = useRef<HTMLFormElement>(null);
  const [reason, setReason] = useState('');
  const [isSent, setSent] = useState(false);
  const takeDown = useAct('PUT /api/console/status-pages/:id/taken-down', {
    onDone: () => {
      toast.ok(`${title} is taken down`);
      onClose();
    },
  });
  const refused = fieldProblem(takeDown.error, 'reason');
  const wrong = reason.trim() === '' ? 'Enter a reason. The person who wrote the page reads it.' : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (wrong) focusFirstWrongOnceDrawn(box.current);
    else takeDown.mutate({ params: { id }, body: { reason } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      locked={takeDown.isPending}
      size="slim"
      title={`Take ${title} down?`}
      description={`Readers of /status/${slug} find nothing there. ${person} keeps what was written, and cannot publish it until you allow it again.`}
      dirty={reason !== ''}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={takeDown.isPending} busyLabel="Taking down">
          Take down
        </SubmitButtons>
      }
    >
      <form
        ref={box}
        id={formId}
        className={layout.stack}
        noValidate
        inert={takeDown.isPending}
        onSubmit={submit}
      >
        {takeDown.error && !refused && <ProblemBanner error={takeDown.error} />}
        <TextField
          label="Reason"
          autoComplete="off"
          maxLength={statusPageLimits.reasonCharacters}
          value={reason}
          error={(isSent ? wrong : undefined) ?? refused}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
