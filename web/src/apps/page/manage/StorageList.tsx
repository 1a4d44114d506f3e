import type { Mount } from '@homeport/contract/apps/settings-schema';
import { storageCapGb } from '@homeport/contract/limits';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { Meter } from '../../../ui/chart/Meter.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { formatBytes } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import styles from './StorageList.module.css';
import { storageTexts } from './storage-texts.ts';

const capBytes = storageCapGb * 1024 ** 3;

/** The app's folders that outlive its deploys, with their measured sizes. */
export function StorageList({ place }: { place: AppPlace }) {
  const { state } = useOnServer('GET /api/apps/:id/storage', place, 'limits');
  return (
    <ServerRead state={state} connect={place.connect} what="the storage" rows={1}>
      {(mounts) =>
        mounts.length === 0 ? (
          <NothingYet>None: what it writes is gone after a deploy.</NothingYet>
        ) : (
          <>
            <p className={classNames(typography.extraSmall, typography.subtle, styles.cap)}>
              {storageTexts.kept}
            </p>
            <ul className={styles.mounts}>
              {mounts.map((mount) => (
                <MountLine
                  key={`${mount.hostPath} ${mount.containerPath}`}
                  mount={mount}
                  sharedWith={othersOf(mount, mounts)}
                />
              ))}
            </ul>
          </>
        )
      }
    </ServerRead>
  );
}

/** The other paths in the app at which the same folder is mounted. */
const othersOf = ({ hostPath, containerPath }: Mount, mounts: readonly Mount[]): string[] =>
  mounts.flatMap((other) =>
    other.hostPath === hostPath && other.containerPath !== containerPath ? other.containerPath : [],
  );

function MountLine({ mount, sharedWith }: { mount: Mount; sharedWith: readonly string[] }) {
  const { containerPath, hostPath, usedBytes } = mount;
  return (
    <li className={classNames(layout.stack, layout.gap2)}>
      <span className={typography.twoLines}>
        <span className={typography.monospace}>{containerPath}</span>
        <small className={typography.monospace}>{hostPath}</small>
        {sharedWith.length > 0 && <small>the same folder as at {sharedWith.join(' and ')}</small>}
      </span>
      {usedBytes === null ? (
        <span className={classNames(typography.extraSmall, typography.subtle)}>
          {hostPath.startsWith('/')
            ? 'what is used is not known, because this account may not look'
            : 'a volume of Docker’s; what is used is not known'}
        </span>
      ) : (
        <Meter
          label={`Storage at ${containerPath}`}
          percent={(100 * usedBytes) / capBytes}
          valueText={`${formatBytes(usedBytes)} of ${storageCapGb} GB`}
        />
      )}
    </li>
  );
}
