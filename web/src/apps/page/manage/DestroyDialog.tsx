import type { Mount } from '@homeport/contract/apps/settings-schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { LeavingRecord } from '@homeport/contract/domains/schema';
import { useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useApi } from '../../../data/use-api.ts';
import { databasesOfApp } from '../../../databases/of-app/databases-of-app.ts';
import { usePointingRecords } from '../../../domains/pointing/PointingRecords.tsx';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import styles from './DestroyDialog.module.css';
import { storageFolders, wordsToDestroy } from './removable-storage.ts';

/** What goes with the app: folders of its storage, and DNS records. */
export interface Destroyed {
  storage: string[];
  records: LeavingRecord[];
}

export interface DestroyDialogProps {
  place: AppPlace;
  /** Resolves once the operation has begun. */
  destroy: (what: Destroyed) => Promise<unknown>;
  onClose: () => void;
}

/** Says what is deleted and what stays. The app's storage is deleted only if the person chooses so. */
export function DestroyDialog({ place, destroy, onClose }: DestroyDialogProps) {
  const { app, connect } = place;
  const gone = app.missingSince !== null;
  const { state } = useOnServer('GET /api/apps/:id/storage', place, null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const records = usePointingRecords('app', app.id);
  const mounts = state.kind === 'ready' ? state.data : [];
  const confirm = async () => {
    try {
      await destroy({ storage: [...chosen], records: records.chosen });
    } catch (error) {
      throw new Error(problemText(error));
    }
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={gone ? `Remove ${app.name} from Homeport?` : `Destroy ${app.name}?`}
      description={
        gone
          ? `${app.serverName} no longer has this app. What Homeport knows of it is deleted, and what it made for it elsewhere. This cannot be undone.`
          : `Its code, its containers, its variables and its domains are deleted from ${app.serverName}. This cannot be undone.`
      }
      action={gone ? 'Remove app' : chosen.size > 0 ? 'Destroy app and storage' : 'Destroy app'}
      busyLabel={gone ? 'Removing' : 'Destroying'}
      typed={wordsToDestroy(mounts, chosen)}
      onConfirm={confirm}
    >
      <div className={classNames(layout.stack, styles.parts)}>
        {app.domains.length > 0 && !gone && (
          <div className={classNames(layout.stack, layout.gap2)}>
            <p className={typography.small}>These addresses stop answering:</p>
            <ul className={classNames(typography.small, typography.monospace)}>
              {app.domains.map((domain) => (
                <li key={domain}>{domain}</li>
              ))}
            </ul>
          </div>
        )}
        <LinkedDatabases app={app} />
        <Pushes app={app} />
        {records.offer}
        {state.kind !== 'closed' && !gone && (
          <ServerRead state={state} connect={connect} what="the storage that stays" rows={1}>
            {(read) => <Storage mounts={read} place={place} chosen={chosen} onChange={setChosen} />}
          </ServerRead>
        )}
      </div>
    </ConfirmDialog>
  );
}

/** What happens to the databases that the app reads. */
function LinkedDatabases({ app }: { app: AppPlace['app'] }) {
  const linked = databasesOfApp(app, useApi('GET /api/databases').data ?? []);
  if (linked.length === 0) return null;
  return (
    <div className={classNames(layout.stack, layout.gap2)}>
      <p className={typography.small}>
        {linked.length === 1 ? 'This database stays with its data' : 'These databases stay with their data'},
        and no longer {linked.length === 1 ? 'has' : 'have'} a link to this app:
      </p>
      <ul className={typography.small}>
        {linked.map(({ database: { id, name, type } }) => (
          <li key={id}>
            {name}, {databaseTypeOf(type).title}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What happens to the continuous deployment. */
function Pushes({ app }: { app: AppPlace['app'] }) {
  const setUp = useApi('GET /api/apps/:id/continuous-deployment', { params: { id: app.id } }).data;
  if (!setUp) return null;
  return (
    <p className={typography.small}>
      Pushes to <span className={typography.monospace}>{setUp.repository}</span> deploy no longer: their key
      goes from {app.serverName} first. The workflow and its secret go from the repository as far as GitHub
      answers.
    </p>
  );
}

interface StorageProps {
  mounts: readonly Mount[];
  place: AppPlace;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

function Storage({ mounts, place, chosen, onChange }: StorageProps) {
  const { name, login } = place.server;
  const folders = storageFolders(mounts);
  if (folders.length === 0) return null;
  const noRoot = login === 'plain' ? ' Deleting it needs root, which this account is not.' : '';
  const toggle = (hostPath: string) => {
    const next = new Set(chosen);
    if (!next.delete(hostPath)) next.add(hostPath);
    onChange(next);
  };
  return (
    <fieldset className={classNames(layout.stack, layout.gap2)}>
      <legend className={typography.small}>
        Its storage stays on {name}, unless you choose to delete it.{noRoot}
      </legend>
      {folders.map(({ hostPath, removable, size }) =>
        removable && noRoot === '' ? (
          <Checkbox
            key={hostPath}
            checked={chosen.has(hostPath)}
            onChange={() => toggle(hostPath)}
            label={
              <span className={styles.folder}>
                Also delete <span className={typography.monospace}>{hostPath}</span>, {size}
              </span>
            }
          />
        ) : (
          <p key={hostPath} className={classNames(typography.small, typography.muted, styles.folder)}>
            <span className={typography.monospace}>{hostPath}</span> stays
          </p>
        ),
      )}
    </fieldset>
  );
}
