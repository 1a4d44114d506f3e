import type { UptimeIncident } from '@homeport/contract/uptime/schema';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { Icon } from '../../../ui/picture/Icon.tsx';
import { formatDuration } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import styles from './Incidents.module.css';

/** The periods in which the app was down, newest first. */
export function Incidents({ incidents }: { incidents: readonly UptimeIncident[] }) {
  const now = useNow(10_000);
  if (incidents.length === 0) return <NothingYet>No incidents yet.</NothingYet>;
  return (
    <ul className={styles.incidents}>
      {incidents.map(({ id, startedAt, endedAt, text }) => (
        <li key={id} className={endedAt === null ? styles.open : undefined}>
          <Icon name={endedAt === null ? 'danger' : 'check'} />
          <div>
            <p className={typography.strong}>
              {endedAt === null ? 'Down for' : 'Was down for'} {formatDuration((endedAt ?? now) - startedAt)}
            </p>
            <p className={classNames(typography.extraSmall, typography.subtle)}>
              <Time at={startedAt} as="datetime" />: {text}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
