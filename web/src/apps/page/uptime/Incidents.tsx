import type { UptimeIncident } from '@homeport/contract/uptime';
import { formatDuration } from '../../../ui/format.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { NothingYet } from '../../../ui/States.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useNow } from '../../../ui/use-now.ts';

/** The times at which the app was down, newest first. */
export function Incidents({ incidents }: { incidents: readonly UptimeIncident[] }) {
  const now = useNow(10_000);
  if (incidents.length === 0) return <NothingYet>It was never down since it is watched.</NothingYet>;
  return (
    <ul className="incidents">
      {incidents.map(({ id, startedAt, endedAt, text }) => (
        <li key={id} className={endedAt === null ? 'open' : undefined}>
          <Icon name={endedAt === null ? 'danger' : 'check'} />
          <div>
            <p className="strong">
              {endedAt === null ? 'Down for' : 'Was down for'} {formatDuration((endedAt ?? now) - startedAt)}
            </p>
            <p className="xs subtle">
              <Time at={startedAt} as="datetime" />: {text}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
