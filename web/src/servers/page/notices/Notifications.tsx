import type { HealthNotice } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { Badge } from '../../../ui/feedback/Status.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Icon, type IconName } from '../../../ui/picture/Icon.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import type { ServerStatsView } from '../use-server-stats.ts';
import { allClearText } from './all-clear.ts';
import styles from './Notifications.module.css';
import { noticeText } from './notice-text.ts';

const bandClass: Partial<Record<keyof typeof icons, string | undefined>> = {
  warning: styles.warning,
  danger: styles.danger,
};
const icons: Record<HealthNotice['band'], IconName> = {
  danger: 'danger',
  warning: 'warning',
  info: 'info',
};

const ServerByEmail = lazy(async () => ({ default: (await import('./ServerByEmail.tsx')).ServerByEmail }));

export interface NotificationsProps {
  server: Server;
  notices: readonly HealthNotice[];
  view: Pick<ServerStatsView, 'stats' | 'points'>;
}

/**
 * The problems in the server's stats, most urgent first, and the switches for its mails. Gaps are known once the series have come, later
 * than the rest of the page, so they stand behind a button in the head, where they move nothing.
 */
export function Notifications({ server, notices, view: { stats, points } }: NotificationsProps) {
  const [showsGaps, setShowsGaps] = useState(false);
  const firstReport = points[0]?.ts ?? null;
  const open = notices.filter(({ kind }) => kind !== 'gap');
  const gaps = notices.filter(({ kind }) => kind === 'gap');
  const urgent = open.some((notice) => notice.band === 'danger');
  return (
    <Panel
      id="notifications"
      title="Notifications"
      body="flush"
      busy={stats === undefined}
      aside={open.length > 0 && <Badge tone={urgent ? 'bad' : 'warn'}>{open.length} open</Badge>}
      actions={
        gaps.length > 0 && (
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={showsGaps}
            onClick={() => setShowsGaps(!showsGaps)}
          >
            {gaps.length === 1 ? '1 gap' : `${formatCount(gaps.length)} gaps`} in stats
          </Button>
        )
      }
    >
      {stats === undefined && <SkeletonRows rows={1} />}
      {stats === null && <NothingYet>There are no stats yet, so there is nothing to report.</NothingYet>}
      {stats && open.length === 0 && <NothingYet>{allClearText(stats)}</NothingYet>}
      <NoticeList notices={open} firstReport={firstReport} />
      {showsGaps && <NoticeList notices={gaps} firstReport={firstReport} />}
      <Suspense fallback={<SkeletonRows rows={1} />}>
        <ServerByEmail server={server} />
      </Suspense>
    </Panel>
  );
}

interface NoticeListProps extends Pick<NotificationsProps, 'notices'> {
  firstReport: number | null;
}

function NoticeList({ notices, firstReport }: NoticeListProps) {
  const now = useNow(10_000);
  if (notices.length === 0) return null;
  return (
    <ul className={styles.notices}>
      {notices.map((notice) => {
        const { title, detail } = noticeText(notice, { now, firstReport });
        return (
          <li key={title} className={bandClass[notice.band]}>
            <Icon name={icons[notice.band]} />
            <div>
              <p className={typography.strong}>{title}</p>
              <p className={classNames(typography.extraSmall, typography.subtle)}>{detail}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
