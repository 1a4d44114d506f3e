import type { BackupPlan } from '@homeport/contract/console/schema';
import { type FormEvent, useId, useState } from 'react';
import { fieldProblem, problemText } from '../../data/problem-text.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { CodeLine } from '../../ui/button/CodeLine.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { saveTextFile } from '../../ui/save-file.ts';
import { type BackupKey, keyFile, keySheet } from './make-key.ts';
import { printText } from './print-text.ts';
import { useNewKey } from './use-new-key.ts';
import { useSetPlan } from './use-set-plan.ts';

interface KeyDialogProps {
  plan: BackupPlan;
  onClose: () => void;
}

/** Makes the pair for backups in this browser, and shows the private half once. Or takes the public half of a pair of the owner's. */
export function KeyDialog({ plan, onClose }: KeyDialogProps) {
  const [own, setOwn] = useState(false);
  const set = useSetPlan(() => {
    toast.ok('Backups are encrypted for the new key');
    onClose();
  });
  const use = (recipient: string) =>
    set.mutate({ body: { recipient, dailyAt: plan.dailyAt, keep: plan.keep } });
  const shared = { onClose, use, busy: set.isPending, error: set.error };
  return own ? (
    <OwnKey {...shared} onBack={() => setOwn(false)} />
  ) : (
    <NewKey {...shared} onOwn={() => setOwn(true)} />
  );
}

interface FormProps {
  onClose: () => void;
  use: (recipient: string) => void;
  busy: boolean;
  error: Error | null;
}

function NewKey({ onClose, use, busy, error, onOwn }: FormProps & { onOwn: () => void }) {
  const formId = useId();
  const [kept, setKept] = useState(false);
  const { made, failure, again } = useNewKey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (made) use(made.recipient);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="A key for backups"
      description="Made in this browser just now. Only the private key opens the backups: the console does not have it, and cannot show it again."
      dirty={kept}
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          busy={busy}
          busyLabel="Saving"
          disabled={!kept || !made}
        >
          Use this key
        </SubmitButtons>
      }
    >
      <form data-keeps="choices" id={formId} className={layout.stack} inert={busy} onSubmit={submit}>
        {error && <ProblemBanner error={error} />}
        {made ? (
          <PrivateKey made={made} />
        ) : failure ? (
          <Failed title="The key could not be made" onRetry={again}>
            {problemText(failure)}
          </Failed>
        ) : (
          <SkeletonRows rows={2} />
        )}
        <Checkbox
          label="I have kept the private key where this machine’s disk does not reach. Without it nobody opens the backups."
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <div className={layout.row}>
          <Button size="sm" variant="ghost" onClick={onOwn}>
            Use a key that I have
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function PrivateKey({ made }: { made: BackupKey }) {
  const print = () => {
    if (!printText('Key for backups', keySheet(made, location.host)))
      toast.bad('The browser opened no window to print. Save the key as a file.');
  };
  return (
    <>
      <CodeLine text={made.privateKey} what="private key" />
      <div className={layout.row}>
        <Button icon="download" onClick={() => saveTextFile('homeport-backup.key', keyFile(made))}>
          Save as a file
        </Button>
        <Button icon="external" onClick={print}>
          Print
        </Button>
      </div>
    </>
  );
}

function OwnKey({ onClose, use, busy, error, onBack }: FormProps & { onBack: () => void }) {
  const formId = useId();
  const [recipient, setRecipient] = useState('');
  const refusal = fieldProblem(error, 'recipient');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    use(recipient.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="A key that you have"
      description="The public half of a pair of age’s. “age-keygen” and “homeport backup key FILE” make one."
      dirty={recipient !== ''}
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          busy={busy}
          busyLabel="Saving"
          disabled={recipient.trim() === ''}
        >
          Use this key
        </SubmitButtons>
      }
    >
      <form
        data-keeps="choices"
        id={formId}
        className={layout.stack}
        noValidate
        inert={busy}
        onSubmit={submit}
      >
        {error && !refusal && <ProblemBanner error={error} />}
        <TextField
          label="Public key"
          help="It begins with age1. A private key stays with you."
          mono
          autoComplete="off"
          value={recipient}
          error={refusal}
          onChange={(event) => setRecipient(event.currentTarget.value)}
        />
        <div className={layout.row}>
          <Button size="sm" variant="ghost" onClick={onBack}>
            Make a key instead
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
