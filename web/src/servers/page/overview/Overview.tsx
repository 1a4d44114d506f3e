import type { Server } from '@homeport/contract/servers/schema';
import { messages } from '@homeport/contract/states/messages';
import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import emptyStyles from '../../../ui/feedback/empty.module.css';
import { Lamp } from '../../../ui/feedback/Status.tsx';
import layout from '../../../ui/layout/layout.module.css';
import panelStyles from '../../../ui/layout/panel.module.css';
import agedStyles from '../aged.module.css';
import { noStatsReason } from '../no-stats.ts';
import type { ServerStatsView } from '../use-server-stats.ts';
import { Facts } from './Facts.tsx';
import { Vitals, VitalsToCome } from './Vitals.tsx';
import vitalsStyles from './vitals.module.css';

export function Overview({ server, view }: { server: Server; view: ServerStatsView }) {
  const { stats, points, timeseries, error, status } = view;
  return (
    <section
      className={status === 'offline' ? classNames(panelStyles.panel, agedStyles.aged) : panelStyles.panel}
      id="overview"
      aria-labelledby="overview-title"
      aria-busy={stats === undefined || undefined}
    >
      <h2 className={layout.visuallyHidden} id="overview-title">
        Overview
      </h2>
      {stats && (
        <>
          <Vitals stats={stats} points={points} pointsToCome={timeseries === null && error === null} />
          <Facts stats={stats} />
        </>
      )}
      {stats === undefined && (
        <div aria-hidden="true">
          <VitalsToCome />
          <Facts stats={undefined} />
        </div>
      )}
      {stats === null && <NoStats>{noStatsReason(server)}</NoStats>}
    </section>
  );
}

function NoStats({ children }: { children: ReactNode }) {
  return (
    <div className={classNames(emptyStyles.empty, vitalsStyles.noStats)}>
      <Lamp state="nodata" size={18} />
      <h3>{messages.noData}</h3>
      <p>{children}</p>
    </div>
  );
}
