import type { Uptime } from '@homeport/contract/uptime/schema';
import { Badge, Status } from '../../../ui/feedback/Status.tsx';

/** What the checks from outside say of the app; nothing where they cannot say anything, or while it is stopped. */
export function OnlineBadge({ uptime }: { uptime: Pick<Uptime, 'online' | 'state'> | null | undefined }) {
  if (!uptime || uptime.state === 'paused') return null;
  if (uptime.online !== null) return <Status status={uptime.online ? 'online' : 'offline'} boxed />;
  return (
    <Badge tone="none" lamp="nodata">
      {uptime.state === 'unknown' ? 'Not checked' : 'Checking'}
    </Badge>
  );
}
