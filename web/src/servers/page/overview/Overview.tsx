import { messages } from '@homeport/contract/messages';
import type { Server } from '@homeport/contract/servers';
import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/States.tsx';
import { Lamp } from '../../ui/Status.tsx';
import { Facts } from './Facts.tsx';
import { noStatsReason } from './no-stats.ts';
import type { ServerStatsView } from './use-server-stats.ts';
import { Vitals } from './Vitals.tsx';

export function Overview({ server, view }: { server: Server; view: ServerStatsView }) {
  const { stats, points, status } = view;
  return (
    <section
      className={status === 'offline' ? 'panel aged' : 'panel'}
      id="overview"
      aria-labelledby="overview-title"
      aria-busy={stats === undefined || undefined}
    >
      <h2 className="sr" id="overview-title">
        Overview
      </h2>
      {stats && (
        <>
          <Vitals stats={stats} points={points} />
          <Facts stats={stats} />
        </>
      )}
      {stats === undefined && <VitalsToCome />}
      {stats === null && <NoStats>{noStatsReason(server)}</NoStats>}
    </section>
  );
}

function NoStats({ children }: { children: ReactNode }) {
  return (
    <div className="empty nostats">
      <Lamp state="nodata" size={18} />
      <h3>{messages.noData}</h3>
      <p>{children}</p>
    </div>
  );
}

function VitalsToCome() {
  return (
    <div className="vitals" aria-hidden="true">
      {['load', 'ram', 'disk', 'network', 'latency'].map((name) => (
        <div className="vital stack g3" key={name}>
          <Skeleton width="40%" />
          <Skeleton width="60%" height="1.5rem" />
          <Skeleton />
          <Skeleton height="1.75rem" />
        </div>
      ))}
    </div>
  );
}
