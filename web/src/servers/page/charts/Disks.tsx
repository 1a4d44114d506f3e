import type { ServerStats } from '@homeport/contract/stats/schema';
import { Meter } from '../../../ui/chart/Meter.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { formatBytes } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { share } from './chart-series.ts';
import styles from './Disks.module.css';

/** Each filesystem with its used space. */
export function Disks({ disks }: { disks: ServerStats['disk_array'] }) {
  return (
    <ul className={styles.disks} aria-label="Filesystems">
      {disks.map(({ device, mount, total, used }) => {
        const name = mount ?? device;
        return (
          <li key={`${device} ${name}`}>
            <span
              className={classNames(typography.monospace, typography.extraSmall, typography.truncated)}
              title={`${name} on ${device}`}
            >
              {name}
            </span>
            <span className={classNames(typography.extraSmall, typography.subtle)}>
              {formatBytes(used)} of {formatBytes(total)}
            </span>
            <Meter label={`Disk ${name}`} percent={share(used, total)} />
          </li>
        );
      })}
    </ul>
  );
}
