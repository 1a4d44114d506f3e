import { keptBackups } from '@homeport/contract/console/facts';
import type { BackupPlan } from '@homeport/contract/console/schema';
import { type FormEvent, useId, useState } from 'react';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { TextField } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/Select.tsx';
import layout from '../../ui/layout/layout.module.css';
import { hoursOfDay } from './schedule-texts.ts';
import { useSetPlan } from './use-set-plan.ts';

interface ScheduleDialogProps {
  plan: BackupPlan;
  onClose: () => void;
}

const never = 'never';

/** When a backup is made each day, and how many of the newest stay. */
export function ScheduleDialog({ plan, onClose }: ScheduleDialogProps) {
  const formId = useId();
  const [dailyAt, setDailyAt] = useState(plan.dailyAt === null ? never : String(plan.dailyAt));
  const [keep, setKeep] = useState(String(plan.keep));
  const set = useSetPlan(() => {
    toast.ok('Schedule saved');
    onClose();
  });
  const many = Number(keep);
  const wrong =
    Number.isInteger(many) && many >= keptBackups.least && many <= keptBackups.most
      ? undefined
      : `Enter a number from ${keptBackups.least} to ${keptBackups.most}.`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong) return;
    const at = dailyAt === never ? null : Number(dailyAt);
    set.mutate({ body: { recipient: plan.recipient, dailyAt: at, keep: many } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title="Schedule"
      description="The console makes the backup by itself, encrypted for your key, and removes the oldest."
      dirty={dailyAt !== (plan.dailyAt === null ? never : String(plan.dailyAt)) || keep !== String(plan.keep)}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={set.isPending} busyLabel="Saving">
          Save
        </SubmitButtons>
      }
    >
      <form
        data-keeps="choices"
        id={formId}
        className={layout.stack}
        noValidate
        inert={set.isPending}
        onSubmit={submit}
      >
        {set.error && <ProblemBanner error={set.error} />}
        <Select
          label="Every day at"
          value={dailyAt}
          options={[
            { value: never, label: 'Never' },
            ...hoursOfDay(Date.now(), plan.dailyAt).map((hour) => ({
              value: String(hour.dailyAt),
              label: hour.text,
            })),
          ]}
          onChange={(event) => setDailyAt(event.currentTarget.value)}
        />
        <TextField
          label="Backups that stay"
          inputMode="numeric"
          autoComplete="off"
          value={keep}
          error={wrong}
          onChange={(event) => setKeep(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
