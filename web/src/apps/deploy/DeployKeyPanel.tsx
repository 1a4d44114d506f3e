import type { App } from '@homeport/contract/apps/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { useState } from 'react';
import { useAct, useApi } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './DeployKeyPanel.module.css';

/** The key with which the server fetches the app's private repository. Nothing without one. */
export function DeployKeyPanel({ app, server }: { app: App; server: Server }) {
  const key = useApi('GET /api/apps/:id/deploy-key', { params: { id: app.id } });
  const [asking, setAsking] = useState(false);
  if (!key.data) return null;
  const { repository, fingerprint, title, atGithub, url, createdAt } = key.data;
  return (
    <PanelPart
      id="deploy-key"
      title="Deploy key"
      actions={
        <Button size="sm" disabledReason={closedTexts(server)?.deploy} onClick={() => setAsking(true)}>
          Remove
        </Button>
      }
    >
      <dl className={classNames(definitionsStyles.list, styles.facts)}>
        <dt>Reads</dt>
        <dd>
          {repository}
          {app.repository?.fullName !== repository && ', to which the app is not linked any more'}
        </dd>
        <dt>At GitHub</dt>
        <dd>
          {atGithub ? (
            <a href={url} target="_blank" rel="noreferrer">
              {title}
            </a>
          ) : (
            'Not there, so the key opens nothing'
          )}
        </dd>
        <dt>Fingerprint</dt>
        <dd className={typography.monospace}>{fingerprint}</dd>
        <dt>Made</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
      {asking && <RemoveKeyDialog app={app} repository={repository} onClose={() => setAsking(false)} />}
    </PanelPart>
  );
}

type RemoveKeyDialogProps = { app: App; repository: string; onClose: () => void };

function RemoveKeyDialog({ app, repository, onClose }: RemoveKeyDialogProps) {
  const remove = useAct('POST /api/apps/:id/deploy-key/remove', { onDone: ({ id }) => openOperation(id) });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Remove the deploy key?"
      description={`The server can no longer fetch ${repository}. The key goes from the server and from GitHub; what is deployed stays. The next deploy with a key makes a new one.`}
      action="Remove"
      busyLabel="Beginning"
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: app.id } });
      }}
    />
  );
}
