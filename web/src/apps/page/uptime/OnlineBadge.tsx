import { uptimeText } from '@homeport/contract/uptime/health';
import type { Uptime } from '@homeport/contract/uptime/schema';
import { Badge, Status } from '../../../ui/feedback/Status.tsx';

/** The result of the outside checks. Draws nothing for an app without a check or a stopped app. */
export function OnlineBadge({ uptime }: { uptime: Pick<Uptime, 'online' | 'state'> | null | undefined }) {
  if (!uptime || uptime.state === 'paused') return null;
  if (uptime.online !== null) return <Status status={uptime.online ? 'online' : 'offline'} boxed />;
  return (
    <Badge tone="none" lamp="nodata">
      {uptimeText(uptime)}
    </Badge>
  );
}
