import { databaseStatusAdvice } from '@homeport/contract/databases/health';
import { Button } from '../../ui/button/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import type { Tone } from '../../ui/feedback/tones.ts';
import type { DatabasePlace } from './database-place.ts';
import type { DatabaseActs } from './use-database-acts.ts';
import { useDatabaseRefresh } from './use-database-refresh.ts';

const tones: Record<DatabasePlace['status'], Tone> = {
  online: 'ok',
  paused: 'warn',
  crashed: 'bad',
  ended: 'bad',
  restarting: 'bad',
  missing: 'bad',
  created: 'warn',
  unread: 'info',
  'server-offline': 'warn',
};

/** The states whose reason stands in the log. */
const withLog: ReadonlySet<DatabasePlace['status']> = new Set(['crashed', 'ended', 'restarting']);

/** Says why the database is not Online, and offers the way out. Nothing while it is, or while work goes on. */
export function StatusBanner({ place, acts }: { place: DatabasePlace; acts: DatabaseActs }) {
  const { database, status } = place;
  const refresh = useDatabaseRefresh(database.id);
  const advice = databaseStatusAdvice(status, database.ending);
  if (advice === null || acts.underWay) return null;
  const common = { size: 'sm', disabledReason: acts.refusal } as const;
  return (
    <Banner
      tone={tones[status]}
      action={
        status === 'unread' || status === 'server-offline' ? (
          <Button {...common} icon="refresh" busy={refresh.busy} busyLabel="Asking" onClick={refresh.run}>
            Ask the server
          </Button>
        ) : status === 'restarting' ? (
          <Button {...common} icon="stop" busy={acts.busy} busyLabel="Stopping" onClick={acts.stop}>
            Stop
          </Button>
        ) : (
          <Button {...common} icon="play" busy={acts.busy} busyLabel="Starting" onClick={acts.start}>
            Start
          </Button>
        )
      }
    >
      <p>
        {advice} {withLog.has(status) && <a href="#logs">Read its log</a>}
      </p>
    </Banner>
  );
}
