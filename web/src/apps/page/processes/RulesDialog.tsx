import { isMeantToRun } from '@homeport/contract/apps/health';
import { isStopTime, restartPolicies, stopTimeRefused } from '@homeport/contract/apps/processes/facts';
import type { App } from '@homeport/contract/apps/schema';
import { type FormEvent, useId, useState } from 'react';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { policyText } from './settings-text.ts';

interface RulesDialogProps {
  app: App;
  restartPolicy: string;
  stopSeconds: number;
  onClose: () => void;
}

/** When a process is started again, and how long one may take to end. */
export function RulesDialog({ app, restartPolicy, stopSeconds, onClose }: RulesDialogProps) {
  const formId = useId();
  const [policy, setPolicy] = useState(restartPolicy);
  const [seconds, setSeconds] = useState(`${stopSeconds}`);
  const change = useAct('POST /api/apps/:id/processes/rules', {
    onDone: ({ id }) => {
      onClose();
      openOperation(id);
    },
  });
  const time = /^\d{1,5}$/.test(seconds.trim()) ? Number(seconds) : Number.NaN;
  const isWrong = !isStopTime(time);
  const isSame = policy === restartPolicy && time === stopSeconds;
  const known: readonly string[] = restartPolicies;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWrong || isSame) return;
    const body = {
      ...(policy === restartPolicy ? {} : { restartPolicy: policy }),
      ...(time === stopSeconds ? {} : { stopSeconds: time }),
    };
    change.mutate({ params: { id: app.id }, body });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={!isSame && !change.isPending}
      title={`Restart and stop rules of ${app.name}`}
      description={
        isMeantToRun(app)
          ? 'The rules hold for new containers, so the app restarts once.'
          : 'The app is not running. The rules hold from its next start on.'
      }
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          disabled={isSame || isWrong}
          busy={change.isPending}
          busyLabel="Changing"
        >
          {isMeantToRun(app) ? 'Change and restart' : 'Change rules'}
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={change.isPending} onSubmit={submit}>
        {change.error && <ProblemBanner error={change.error} />}
        <Select
          label="A process that ends is"
          value={policy}
          onChange={(event) => setPolicy(event.currentTarget.value)}
          options={[...restartPolicies, ...(known.includes(restartPolicy) ? [] : [restartPolicy])].map(
            (value) => ({ value, label: policyText(value) }),
          )}
        />
        <TextField
          label="Time to stop"
          suffix="s"
          inputMode="numeric"
          autoComplete="off"
          help="A process is asked to end, and killed after this time."
          error={isWrong ? stopTimeRefused : null}
          value={seconds}
          onChange={(event) => setSeconds(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
