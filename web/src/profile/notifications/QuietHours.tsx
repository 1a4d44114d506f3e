import type { QuietHours as Hours } from '@homeport/contract/destinations/quiet-hours';
import type { Destination } from '@homeport/contract/destinations/schema';
import { type FormEvent, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import styles from './destinations.module.css';

const night = { from: '22:00', to: '07:00', grave: true };

/** When nothing is sent to a destination, by the clock of this browser's time zone. */
export function QuietHours({ destination: { id, name, quietHours } }: { destination: Destination }) {
  const [isOn, setOn] = useState(quietHours !== null);
  const [hours, setHours] = useState<Omit<Hours, 'zone'>>(quietHours ?? night);
  const save = useAct('PUT /api/destinations/:id/quiet-hours', {
    onDone: (record) =>
      toast.ok(record.quietHours ? `Quiet hours of ${name} saved` : `${name} has no quiet hours any more`),
  });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const zone = quietHours?.zone ?? timeZone;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { from, to, grave } = hours;
    save.mutate({ params: { id }, body: { quietHours: isOn ? { from, to, grave, zone: timeZone } : null } });
  };
  const wrongFrom = fieldProblem(save.error, 'quietHours.from');
  // The zone is named below the second time.
  const wrongTo = fieldProblem(save.error, 'quietHours.to') ?? fieldProblem(save.error, 'quietHours.zone');
  return (
    <details>
      <summary className={typography.subheading}>
        {quietHours
          ? `Quiet hours: ${quietHours.from} to ${quietHours.to}${zone === timeZone ? '' : ` in ${zone}`}`
          : 'Quiet hours: none'}
      </summary>
      <form
        className={classNames(layout.stack, styles.form)}
        noValidate
        inert={save.isPending}
        onSubmit={submit}
      >
        {save.error && (wrongFrom ?? wrongTo) === undefined && <ProblemBanner error={save.error} />}
        <p className={classNames(typography.small, typography.muted)}>
          What happens in quiet hours is sent at their end. What is over by then is one message.
        </p>
        <Checkbox
          label="Send nothing for some hours of each day"
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        {isOn && (
          <>
            <TextField
              label="From"
              type="time"
              error={wrongFrom}
              value={hours.from}
              onChange={(event) => setHours({ ...hours, from: event.currentTarget.value })}
            />
            <TextField
              label="To"
              type="time"
              help={
                zone === timeZone
                  ? `By the clock of ${timeZone}.`
                  : `By the clock of ${zone}. Saving moves them to the clock of ${timeZone}.`
              }
              error={wrongTo}
              value={hours.to}
              onChange={(event) => setHours({ ...hours, to: event.currentTarget.value })}
            />
            <Checkbox
              label="Outages and their ends are sent all the same: a server or an app that is down, a website that fails, a domain that is not served any more"
              checked={hours.grave}
              onChange={(event) => setHours({ ...hours, grave: event.currentTarget.checked })}
            />
          </>
        )}
        <div>
          <Button size="sm" type="submit" busy={save.isPending} busyLabel="Saving">
            Save quiet hours
          </Button>
        </div>
      </form>
    </details>
  );
}
