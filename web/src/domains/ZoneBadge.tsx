import type { Zone } from '@homeport/contract/domains/schema';
import { Badge, type BadgeTone } from '../ui/feedback/Status.tsx';
import type { IconName } from '../ui/picture/Icon.tsx';
import { zoneStatus, zoneTone } from './zone-texts.ts';

const icons: Partial<Record<BadgeTone, IconName>> = {
  ok: 'success',
  plain: 'pause',
  warn: 'clock',
  bad: 'warning',
};

/** The status of a zone. An icon tells it besides the colour. */
export function ZoneBadge({ zone }: { zone: Pick<Zone, 'status' | 'paused'> }) {
  const tone = zoneTone(zone);
  const icon = icons[tone];
  return (
    <Badge tone={tone} {...(icon && { icon })}>
      {zoneStatus(zone)}
    </Badge>
  );
}
