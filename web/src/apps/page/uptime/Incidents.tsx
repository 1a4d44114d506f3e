import type { UptimeIncident } from '@homeport/contract/uptime/schema';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { PanelPart } from '../../../ui/layout/Panel.tsx';
import { Icon } from '../../../ui/picture/Icon.tsx';
import { useFirstRows } from '../../../ui/table/use-first-rows.tsx';
import { formatDuration } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import styles from './Incidents.module.css';

const shownFirst = 3;

/** The periods in which the app was down, newest first. */
export function Incidents({ incidents }: { incidents: readonly UptimeIncident[] }) {
  const now = useNow(10_000);
  const { shown, more } = useFirstRows(incidents, shownFirst);
  return (
    <PanelPart title="Incidents" actions={more}>
      {incidents.length === 0 ? (
        <NothingYet>No incidents yet.</NothingYet>
      ) : (
        <IncidentList incidents={shown} now={now} />
      )}
    </PanelPart>
  );
}

function IncidentList({ incidents, now }: { incidents: readonly UptimeIncident[]; now: number }) {
  return (
    <ul className={styles.incidents} aria-label="Incidents">
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
