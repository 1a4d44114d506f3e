import type { App } from '@homeport/contract/apps';
import { useState } from 'react';
import { problemText } from '../../data/api-problem.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { useAppActs } from './use-app-acts.ts';

export function ManagePanel({ app, acts }: { app: App; acts: ReturnType<typeof useAppActs> }) {
  const [asking, setAsking] = useState(false);
  const destroy = async () => {
    try {
      await acts.destroy();
    } catch (error) {
      throw new Error(problemText(error));
    }
  };
  return (
    <Panel title="Manage App" id="manage-app" tone="danger" body="flush">
      <ul className="settings">
        <li>
          <span className="two">
            <span className="strong">Destroy app</span>
            <small>
              Deletes the app, its data and its domains from {app.serverName}. This cannot be undone.
            </small>
          </span>
          <Button variant="danger-quiet" icon="trash" onClick={() => setAsking(true)}>
            Destroy app
          </Button>
        </li>
      </ul>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Destroy ${app.name}?`}
        description={`Its code, its containers and what Dokku keeps of it are deleted from ${app.serverName}. This cannot be undone.`}
        action="Destroy app"
        busyLabel="Destroying"
        typed="destroy"
        onConfirm={destroy}
      >
        {app.domains.length > 0 && (
          <div className="stack g2">
            <p className="sm">These addresses stop answering:</p>
            <ul className="sm mono">
              {app.domains.map((domain) => (
                <li key={domain}>{domain}</li>
              ))}
            </ul>
          </div>
        )}
      </ConfirmDialog>
    </Panel>
  );
}
