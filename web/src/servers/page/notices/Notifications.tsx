import type { HealthNotice } from '@homeport/contract/server-health';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { NothingYet, SkeletonRows } from '../../ui/States.tsx';
import { Badge } from '../../ui/Status.tsx';
import { useNow } from '../../ui/use-now.ts';
import { noticeText } from './notice-text.ts';
import type { ServerStatsView } from './use-server-stats.ts';

const icons: Record<HealthNotice['band'], IconName> = {
  danger: 'danger',
  warning: 'warning',
  info: 'info',
};

export interface NotificationsProps {
  notices: readonly HealthNotice[];
  view: Pick<ServerStatsView, 'stats' | 'points'>;
}

/** What the stats of the server say that deserves attention, the most urgent first. */
export function Notifications({ notices, view: { stats, points } }: NotificationsProps) {
  const now = useNow(10_000);
  const firstReport = points[0]?.ts ?? null;
  const urgent = notices.some((notice) => notice.band === 'danger');
  return (
    <Panel
      id="notifications"
      title="Notifications"
      body="flush"
      busy={stats === undefined}
      aside={notices.length > 0 && <Badge tone={urgent ? 'bad' : 'warn'}>{notices.length} open</Badge>}
    >
      {stats === undefined && <SkeletonRows rows={2} />}
      {stats === null && <NothingYet>Without stats there is nothing to notice yet.</NothingYet>}
      {stats && notices.length === 0 && (
        <NothingYet>All clear. CPU load, RAM and disk are under 80 %, and no report is missing.</NothingYet>
      )}
      {notices.length > 0 && (
        <ul className="notes">
          {notices.map((notice) => {
            const { title, detail } = noticeText(notice, { now, firstReport });
            return (
              <li key={title} className={notice.band}>
                <Icon name={icons[notice.band]} />
                <div>
                  <p className="strong">{title}</p>
                  <p className="xs subtle">{detail}</p>
                </div>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
