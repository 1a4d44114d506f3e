import type { App } from '@homeport/contract/apps/schema';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../data/session.ts';
import type { FleetLine } from '../servers/use-fleet.ts';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import panelStyles from '../ui/layout/panel.module.css';
import { HomePaper } from '../ui/picture/HomePaper.tsx';
import { usePainted } from '../ui/use-painted.ts';
import { firstName, fleetSentence, greeting } from './greeting.ts';
import styles from './Hello.module.css';
import { TotalsRow } from './TotalsRow.tsx';

export interface HelloProps {
  /** Nothing of the person's own is there yet. */
  first: boolean;
  lines: readonly FleetLine[] | undefined;
  apps: readonly App[] | undefined;
  statsFailed: boolean;
  now: number;
  /** Shown in place of the totals while there are none. */
  children: ReactNode;
}

/** The greeting, one sentence on the servers, and five totals. */
export function Hello({ first, lines, apps, statsFailed, now, children }: HelloProps) {
  const { user } = useSession();
  const painted = usePainted();
  return (
    <section className={classNames(panelStyles.panel, styles.hello)} aria-labelledby="hello">
      <div className={styles.art} aria-hidden="true">
        {painted && <HomePaper />}
      </div>
      <div className={styles.top}>
        <div>
          <h1 id="hello" tabIndex={-1}>
            {first ? `Welcome, ${firstName(user.name)}` : greeting(user.name, new Date(now).getHours())}
          </h1>
          {first ? (
            <p>Homeport runs apps on servers you own. Three steps and your first app is live.</p>
          ) : (
            <>
              <p>
                <Sentence lines={lines} statsFailed={statsFailed} now={now} />
              </p>
              <div className={classNames(layout.row, styles.buttons)}>
                <ButtonLink to="/apps/new" variant="primary" icon="plus">
                  New app
                </ButtonLink>
                <ButtonLink to="/servers" search={{ add: true }} icon="plus">
                  Add server
                </ButtonLink>
              </div>
            </>
          )}
        </div>
      </div>
      {first ? children : <TotalsRow lines={lines} apps={apps} statsFailed={statsFailed} />}
    </section>
  );
}

function Sentence({ lines, statsFailed, now }: Pick<HelloProps, 'lines' | 'statsFailed' | 'now'>) {
  if (!lines) return <>Reading the state of your servers.</>;
  if (statsFailed) return <>The state of your servers could not be read.</>;
  const { text, about } = fleetSentence(lines, now);
  return (
    <>
      {text}{' '}
      {about && (
        <>
          <Link to="/server/$key" params={{ key: about.key }}>
            {about.name}
          </Link>{' '}
          {about.text}
        </>
      )}
    </>
  );
}
