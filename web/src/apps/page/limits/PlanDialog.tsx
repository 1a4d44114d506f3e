import { isMeantToRun } from '@homeport/contract/apps/health';
import { defaultPlanSize } from '@homeport/contract/apps/plans';
import type { App } from '@homeport/contract/apps/schema';
import { useState } from 'react';
import { call } from '../../../data/call.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { Conflict } from '../../../ui/dialog/Conflict.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { PlanSlider } from '../../../ui/form/PlanSlider.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { planWithMemory } from '../../plan-text.ts';
import { useAppEdit } from '../use-app-edit.ts';

const inWords = (plan: number | null) => (plan === null ? 'No plan' : planWithMemory(plan));

/** Changes an app's plan. A running app restarts. Choosing the current plan sets its limits again. */
export function PlanDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const [plan, setPlan] = useState<number>(app.plan ?? defaultPlanSize);
  const running = isMeantToRun(app);
  const edit = useAppEdit(app, {
    part: (each): number | null => each.plan,
    send: (mine, known) =>
      call('POST /api/apps/:id/plan', {
        params: { id: known.id },
        body: { from: known.plan, plan: mine ?? plan },
      }),
    onSaved: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const verb = plan === edit.begun.plan ? `Set plan ${plan} again` : `Change to plan ${plan}`;
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={plan !== edit.begun.plan && !edit.saving}
      title={`Plan of ${app.name}`}
      description={
        running
          ? 'The limits hold for new containers, so the app restarts once.'
          : 'The app is not running. The limits hold from its next start on.'
      }
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          {!edit.conflict && (
            <Button variant="primary" busy={edit.saving} busyLabel="Changing" onClick={() => edit.save(plan)}>
              {running ? `${verb} and restart` : verb}
            </Button>
          )}
        </>
      }
    >
      <div className={layout.stack}>
        <div inert={edit.saving || edit.conflict !== null}>
          <PlanSlider
            value={plan}
            {...(edit.begun.plan === null ? {} : { current: edit.begun.plan })}
            onChange={setPlan}
          />
        </div>
        {edit.conflict && (
          <Conflict
            rows={[
              { label: 'Plan', mine: inWords(edit.conflict.mine), theirs: inWords(edit.conflict.theirs) },
            ]}
            busy={edit.saving}
            onKeepMine={edit.keepMine}
            onTakeTheirs={onClose}
          />
        )}
        {edit.error && <ProblemBanner error={edit.error} />}
      </div>
    </Dialog>
  );
}
