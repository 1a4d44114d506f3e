import { databaseStatusText, type DatabaseStatus as Status } from '@homeport/contract/databases/health';
import { Badge, type BadgeTone, Status as CommonStatus } from '../ui/feedback/Status.tsx';
import type { IconName } from '../ui/picture/Icon.tsx';

const looks: Record<Exclude<Status, 'online' | 'paused'>, { tone: BadgeTone; icon: IconName }> = {
  crashed: { tone: 'bad', icon: 'danger' },
  ended: { tone: 'bad', icon: 'stop' },
  restarting: { tone: 'bad', icon: 'refresh' },
  missing: { tone: 'bad', icon: 'box' },
  created: { tone: 'warn', icon: 'warning' },
  unread: { tone: 'none', icon: 'info' },
  'server-offline': { tone: 'warn', icon: 'server' },
};

/** A database's status in words. Online is quiet unless it is boxed, as in a page header. Problems have a box. */
export function DatabaseStatus({ status, boxed = false }: { status: Status; boxed?: boolean }) {
  if (status === 'online' || status === 'paused') return <CommonStatus status={status} boxed={boxed} />;
  return <Badge {...looks[status]}>{databaseStatusText(status)}</Badge>;
}
