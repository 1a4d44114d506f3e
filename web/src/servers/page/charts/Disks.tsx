import type { ServerStats } from '@homeport/contract/monitor';
import { formatBytes } from '../../ui/format.ts';
import { Meter } from '../../ui/Meter.tsx';
import { share } from './chart-series.ts';

/** Each filesystem with what is used of it. */
export function Disks({ disks }: { disks: ServerStats['disk_array'] }) {
  return (
    <ul className="disks" aria-label="Filesystems">
      {disks.map(({ device, mount, total, used }) => {
        const name = mount ?? device;
        return (
          <li key={`${device} ${name}`}>
            <span className="mono xs trunc" title={`${name} on ${device}`}>
              {name}
            </span>
            <span className="xs subtle">
              {formatBytes(used)} of {formatBytes(total)}
            </span>
            <Meter label={`Disk ${name}`} percent={share(used, total)} />
          </li>
        );
      })}
    </ul>
  );
}
