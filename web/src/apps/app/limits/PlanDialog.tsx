import type { App } from '@homeport/contract/apps';
import { useState } from 'react';
import { problemText } from '../../../data/api-problem.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { PlanSlider } from '../../../ui/PlanSlider.tsx';
import { appStatus } from '../../app-status.ts';

/** Another size for an app; a running one restarts with it. The plan in force may be chosen: that sets its limits again. */
export function PlanDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const [plan, setPlan] = useState<number>(app.plan);
  const running = appStatus(app) === 'running';
  const change = useAct('POST /api/apps/:id/plan', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const verb = plan === app.plan ? `Set plan ${plan} again` : `Change to plan ${plan}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Plan of ${app.name}`}
      description={
        running
          ? 'The limits hold for new containers, so the app restarts once.'
          : 'The app is not running. The limits hold from its next start on.'
      }
      footer={
        <>
          <Button className="end" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={change.isPending}
            busyLabel="Changing"
            onClick={() => change.mutate({ params: { id: app.id }, body: { plan } })}
          >
            {running ? `${verb} and restart` : verb}
          </Button>
        </>
      }
    >
      <div className="stack">
        <PlanSlider value={plan} current={app.plan} onChange={setPlan} />
        {change.error && (
          <Banner tone="bad">
            <p>{problemText(change.error)}</p>
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
