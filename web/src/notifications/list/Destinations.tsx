import type { Destination } from '@homeport/contract/destinations/schema';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { useSendTest } from '../use-send-test.ts';
import styles from './destinations-column.module.css';

const shownFirst = 10;

/** To whom news goes, what came of the last message, and the button that tries each. They are changed on the profile. */
export function Destinations() {
  const destinations = useApi('GET /api/destinations');
  const { shown, more } = useFirstRows(destinations.data ?? [], shownFirst);
  // It comes whole: what stands below or beside it needs no room kept.
  if (destinations.isPending) return null;
  return (
    <Panel
      id="destinations"
      title="Destinations"
      body="flush"
      actions={
        <>
          {more}
          <ButtonLink to="/profile" hash="notifications" size="sm">
            Change<span className={layout.visuallyHidden}> destinations</span>
          </ButtonLink>
        </>
      }
    >
      <NotLoaded query={destinations} title="The destinations could not be loaded" rows={1} />
      {destinations.data && (
        <ul className={styles.destinations} aria-label="Destinations of news">
          {shown.map((destination) => (
            <DestinationRow key={destination.id} destination={destination} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function DestinationRow({ destination }: { destination: Destination }) {
  const { name, shown } = destination;
  const test = useSendTest(destination);
  return (
    <li>
      <span className={classNames(typography.twoLines, typography.longWords)}>
        <span className={typography.strong}>{name}</span>
        <small>{shown}</small>
      </span>
      <Button size="sm" {...test}>
        Send a test<span className={layout.visuallyHidden}> to {name}</span>
      </Button>
      <Outcome destination={destination} />
    </li>
  );
}

/** What became of the last message, or why none is sent. */
function Outcome({ destination: { state, problem, latest } }: { destination: Destination }) {
  if (state === 'off') return <p>Off: nothing is sent.</p>;
  if (problem !== null)
    return (
      <p className={state === 'broken' ? styles.bad : styles.warning}>
        <Icon name={state === 'broken' ? 'danger' : 'warning'} size={16} />
        <span>{problem}</span>
      </p>
    );
  if (latest === null) return <p>Nothing sent yet.</p>;
  return (
    <p className={latest.sent ? undefined : styles.bad}>
      <Icon
        name={latest.sent ? 'success' : 'danger'}
        size={16}
        className={latest.sent ? styles.good : undefined}
      />
      <span>
        {latest.sent ? 'Last sent' : 'Last tried'} <Time at={latest.at} />
        {!latest.sent && `: ${latest.answer}`}
      </span>
    </p>
  );
}
