import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/button/Button.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { closedOnApp } from '../../closed-on-app.ts';
import type { ManageDialog } from '../manage/manage-dialog.ts';
import { DomainList } from './DomainList.tsx';
import { PushLine } from './PushLine.tsx';

const loadEditName = () => import('./EditAppNameDialog.tsx');
const EditAppNameDialog = lazy(async () => ({ default: (await loadEditName()).EditAppNameDialog }));

export interface GeneralPanelProps {
  app: App;
  server: Server;
  onOpen: (dialog: ManageDialog) => void;
}

/** What a person comes for daily: where the app answers, and the command that deploys it. */
export function GeneralPanel({ app, server, onOpen }: GeneralPanelProps) {
  const [editing, setEditing] = useState(false);
  return (
    <Panel
      title="General"
      id="general"
      actions={
        <Button
          size="sm"
          variant="ghost"
          icon="edit"
          onPointerEnter={loadEditName}
          onFocus={loadEditName}
          onClick={() => setEditing(true)}
        >
          Edit name
        </Button>
      }
    >
      <div className={layout.stack}>
        <DomainList app={app} closed={closedOnApp(app, server)} onOpen={onOpen} />
        {!server.simulated && <PushLine app={app} />}
      </div>
      {editing && (
        <Suspense fallback={null}>
          <EditAppNameDialog app={app} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
