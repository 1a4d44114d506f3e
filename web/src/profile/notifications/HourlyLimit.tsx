import { hourlyLimits, mostMailsPerHour } from '@homeport/contract/destinations/facts';
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

/** How many messages a destination gets within any hour. */
export function HourlyLimit({ destination: { id, kind, name, perHour } }: { destination: Destination }) {
  const [chosen, choose] = useState(perHour);
  const save = useAct('PUT /api/destinations/:id/hourly-limit', {
    onDone: (record) => toast.ok(`${name} gets at most ${record.perHour} messages an hour`),
  });
  const offered = hourlyLimits.filter((limit) => kind !== 'email' || limit <= mostMailsPerHour);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const limit = offered.find((each) => each === chosen);
    if (limit !== undefined) save.mutate({ params: { id }, body: { perHour: limit } });
  };
  const wrong = fieldProblem(save.error, 'perHour');
  return (
    <details>
      <summary className={typography.subheading}>Messages an hour: {perHour} at most</summary>
      <form
        className={classNames(layout.stack, styles.form)}
        noValidate
        inert={save.isPending}
        onSubmit={submit}
      >
        {save.error && wrong === undefined && <ProblemBanner error={save.error} />}
        <Select
          label="At most in any hour"
          help="With more news, the last message of the hour lists the rest. Nothing is dropped."
          error={wrong}
          value={String(chosen)}
          options={offered.map((limit) => ({ value: String(limit), label: `${limit} messages` }))}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        />
        <div>
          <Button size="sm" type="submit" busy={save.isPending} busyLabel="Saving">
            Save messages an hour
          </Button>
        </div>
      </form>
    </details>
  );
}
