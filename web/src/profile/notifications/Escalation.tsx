import { escalationMinutes, repeatHours as repeats } from '@homeport/contract/destinations/facts';
import type { Destination } from '@homeport/contract/destinations/schema';
import { type FormEvent, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { Select } from '../../ui/form/Select.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import styles from './destinations.module.css';

type Chosen = Pick<Destination, 'afterMinutes' | 'repeatHours'>;

/** What happens there with news that nobody acknowledges: it may come only then, and be repeated. */
export function Escalation({
  destination: { id, kind, name, afterMinutes, repeatHours },
}: {
  destination: Destination;
}) {
  const [chosen, choose] = useState<Chosen>({ afterMinutes, repeatHours });
  const save = useAct('PUT /api/destinations/:id/escalation', {
    onDone: (record) => toast.ok(`${name}: ${inWords(record)}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const after = escalationMinutes.find((each) => each === chosen.afterMinutes) ?? 0;
    const every = repeats.find((each) => each === chosen.repeatHours) ?? null;
    save.mutate({ params: { id }, body: { afterMinutes: after, repeatHours: every } });
  };
  const wrong = fieldProblem(save.error, 'repeatHours');
  return (
    <details>
      <summary className={typography.subheading}>
        Unacknowledged: {inWords({ afterMinutes, repeatHours })}
      </summary>
      <form
        className={classNames(layout.stack, styles.form)}
        noValidate
        inert={save.isPending}
        onSubmit={submit}
      >
        {save.error && wrong === undefined && <ProblemBanner error={save.error} />}
        <Select
          label="News goes there"
          help="After a wait only what still goes on and nobody has acknowledged goes there, and then its end. What has no end, such as a failed deploy, goes there only where no other destination gets it at once."
          value={String(chosen.afterMinutes)}
          options={escalationMinutes.map((minutes) => ({
            value: String(minutes),
            label: minutes === 0 ? 'at once' : `after ${minutes} minutes`,
          }))}
          onChange={(event) => choose({ ...chosen, afterMinutes: Number(event.currentTarget.value) })}
        />
        {kind !== 'pagerduty' && (
          <Select
            label="What goes on is repeated"
            help="One message lists all that nobody has acknowledged. It counts within the hour and waits for the end of quiet hours."
            error={wrong}
            value={String(chosen.repeatHours ?? 0)}
            options={[
              { value: '0', label: 'not at all' },
              ...repeats.map((hours) => ({ value: String(hours), label: every(hours) })),
            ]}
            onChange={(event) =>
              choose({ ...chosen, repeatHours: Number(event.currentTarget.value) || null })
            }
          />
        )}
        <div>
          <Button size="sm" type="submit" busy={save.isPending} busyLabel="Saving">
            Save wait and repeats
          </Button>
        </div>
      </form>
    </details>
  );
}

const every = (hours: number) => (hours === 1 ? 'every hour' : `every ${hours} hours`);

function inWords({ afterMinutes, repeatHours }: Chosen): string {
  const sent = afterMinutes === 0 ? 'sent at once' : `sent after ${afterMinutes} minutes`;
  return repeatHours === null ? `${sent}, not repeated` : `${sent}, repeated ${every(repeatHours)}`;
}
