import type { Mount } from '@homeport/contract/app-settings';
import { storageCapGb } from '@homeport/contract/limits';
import { formatBytes } from '../../../ui/format.ts';
import { Meter } from '../../../ui/Meter.tsx';
import type { AppPlace } from '../on-server/app-place.ts';
import { ServerRead } from '../on-server/ServerRead.tsx';
import { useOnServer } from '../on-server/use-on-server.ts';

const capBytes = storageCapGb * 1024 ** 3;

/** The folders of an app that outlive its deploys, with what they really use. */
export function StorageList({ place }: { place: AppPlace }) {
  const { state } = useOnServer('GET /api/apps/:id/storage', place);
  return (
    <ServerRead state={state} connect={place.connect} what="the storage" rows={1}>
      {(mounts) =>
        mounts.length === 0 ? (
          <p className="subtle sm">None yet: files that the app writes are gone after its next deploy.</p>
        ) : (
          <ul className="mounts">
            {mounts.map((mount) => (
              <MountLine key={`${mount.hostPath} ${mount.containerPath}`} mount={mount} />
            ))}
          </ul>
        )
      }
    </ServerRead>
  );
}

function MountLine({ mount: { containerPath, hostPath, usedBytes } }: { mount: Mount }) {
  return (
    <li className="stack g2">
      <span className="two">
        <span className="mono">{containerPath}</span>
        <small className="mono">{hostPath}</small>
      </span>
      {usedBytes === null ? (
        <span className="xs subtle">
          {hostPath.startsWith('/')
            ? `up to ${storageCapGb} GB; what is used is not known, because this account may not look`
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
