import { restoreTests } from '@homeport/contract/backups/facts';
import type { ServerSchedule } from '@homeport/contract/backups/schema';
import { type FormEvent, useId, useReducer, useState } from 'react';
import { fieldProblem } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { RadioCards } from '../../../ui/form/Choice.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { focusFirstWrongOnceDrawn } from '../../../ui/form/focus-first-wrong.ts';
import { Select } from '../../../ui/form/Select.tsx';
import layout from '../../../ui/layout/layout.module.css';
import type { DatabasePlace } from '../database-place.ts';
import { S3AddressFields } from './S3AddressFields.tsx';
import { ScheduleTime } from './ScheduleTime.tsx';
import { readScheduleForm, type ScheduleText, scheduleFormAfter, scheduleFormOf } from './schedule-form.ts';
import { restoreTestTexts } from './schedule-texts.ts';
import { useScheduleChanged, useServerSchedule } from './use-schedule.ts';

interface ScheduleDialogProps {
  place: DatabasePlace;
  told: Extract<ServerSchedule, { kind: 'told' }>;
  onClose: () => void;
}

/** Sets or changes the schedule. The server takes it as a whole. */
export function ScheduleDialog({ place, told, onClose }: ScheduleDialogProps) {
  const { database, server } = place;
  const formId = useId();
  const changed = useScheduleChanged(database.id);
  // An installation that this dialog began changes what the server has.
  const answer = useServerSchedule(database, true).data;
  const now = answer?.kind === 'told' ? answer : told;
  const [first] = useState(() => scheduleFormOf(told.schedule, ownMinute(database.id)));
  const [form, tell] = useReducer(scheduleFormAfter, first);
  const save = useAct('PUT /api/databases/:id/schedule', {
    onDone: () => {
      void changed();
      toast.ok('Schedule saved');
      onClose();
    },
  });
  const read = readScheduleForm(form, told.schedule?.paused ?? false);
  const problems = form.checked && !read.ok ? read.problems : {};
  const problem = (field: string) => problems[field] ?? fieldProblem(save.error, field);
  const text = (field: ScheduleText) => ({
    value: form[field],
    error: problem(field),
    onChange: (event: { currentTarget: { value: string } }) =>
      tell({ type: 'text', field, text: event.currentTarget.value }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    tell({ type: 'send' });
    if (read.ok) save.mutate({ params: { id: database.id }, body: read.body });
    else focusFirstWrongOnceDrawn(event.currentTarget);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={form !== first && !save.isPending}
      size="wide"
      title={`Back up ${database.name} on schedule`}
      description={`${server.name} makes the backups by itself. Every secret stays there.`}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={save.isPending} busyLabel="Saving">
          Save schedule
        </SubmitButtons>
      }
    >
      <form
        data-keeps="choices"
        id={formId}
        className={layout.stack}
        noValidate
        inert={save.isPending}
        onSubmit={submit}
      >
        {save.error && <ProblemBanner error={save.error}>The schedule may be unchanged.</ProblemBanner>}
        <ScheduleTime form={form} tell={tell} timeZone={told.timeZone} problem={problem} text={text} />
        <TextField
          {...text('keepCount')}
          label="Backups to keep"
          inputMode="numeric"
          autoComplete="off"
          help="Older ones go. Dumps that you made, uploaded, or that a restore kept stay."
        />
        <TextField
          {...text('keepDays')}
          label="Days to keep them"
          optional
          inputMode="numeric"
          autoComplete="off"
          help="The newest backup stays, whatever its age."
        />
        <Select
          label="Restore test"
          value={form.restoreTest}
          options={restoreTests.map((value) => ({
            value,
            label: restoreTestTexts[value],
          }))}
          help="Restores the backup into a database of its own, counts what is there, and removes it."
          onChange={({ currentTarget: { value } }) => {
            const chosen = restoreTests.find((each) => each === value);
            if (chosen) tell({ type: 'restoreTest', restoreTest: chosen });
          }}
        />
        <RadioCards
          legend="Where backups go"
          value={form.target}
          options={[
            {
              value: 'server',
              label: 'On the server',
              note: 'On the disk of the database: lost with the server',
            },
            { value: 's3', label: 'On the server and at an S3 address', note: 'A copy elsewhere, by rclone' },
          ]}
          onChange={(target) => tell({ type: 'target', target })}
        />
        {form.target === 's3' && (
          <S3AddressFields place={place} told={now} form={form} tell={tell} problem={problem} />
        )}
      </form>
    </Dialog>
  );
}

/** Spreads the databases of a server over the hour: the same minute each time for one database. */
const ownMinute = (id: string) => Number.parseInt(id.slice(0, 4), 16) % 60;
