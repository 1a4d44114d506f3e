import { type Plan, planOf, transferAllowanceGb } from '@homeport/contract/apps/plans';
import type { Resources } from '@homeport/contract/apps/settings-schema';
import { lazy, Suspense, useState } from 'react';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { NothingYet } from '../../../ui/feedback/States.tsx';
import { Badge } from '../../../ui/feedback/Status.tsx';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import { Fact } from '../../../ui/layout/Fact.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { Panel, PanelPart } from '../../../ui/layout/Panel.tsx';
import { formatMoney, formatPlanMemory } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import type { ManageDialog } from '../manage/manage-dialog.ts';
import { StorageList } from '../manage/StorageList.tsx';
import styles from './LimitsPanel.module.css';
import { limitDifferences, limitsOf, limitsText, quietLimits } from './limit-differences.ts';

const PlanDialog = lazy(async () => ({ default: (await import('./PlanDialog.tsx')).PlanDialog }));

/** Compares the plan's limits with the limits set on the server and with those of the running containers. */
export function LimitsPanel({ place, onOpen }: { place: AppPlace; onOpen: (dialog: ManageDialog) => void }) {
  const { app, server, connect } = place;
  const [changing, setChanging] = useState(false);
  const { state } = useOnServer('GET /api/apps/:id/resources', place, 'limits');
  const plan = app.plan === null ? null : planOf(app.plan);
  return (
    <Panel
      id="limits"
      title="Resource Limits"
      body="flush"
      actions={
        <Button
          size="sm"
          icon="gauge"
          disabledReason={closedOnApp(app, server)}
          onClick={() => setChanging(true)}
        >
          {app.plan === null ? 'Choose a plan' : 'Change plan'}
        </Button>
      }
    >
      <dl className={classNames(definitionsStyles.grid, styles.limits)}>
        <Fact name="Plan">{plan ? planText(plan) : app.unread ? 'not read yet' : 'none'}</Fact>
        {plan && <PlanFacts plan={plan} />}
      </dl>
      <PanelPart title="In force">
        <ServerRead state={state} connect={connect} what="the limits in force" rows={1}>
          {(resources) => <InForce resources={resources} plan={app.plan} />}
        </ServerRead>
      </PanelPart>
      <PanelPart
        title="Persistent storage"
        actions={
          <Button
            size="sm"
            disabledReason={closedOnApp(app, server)}
            onClick={() => onOpen({ kind: 'storage' })}
          >
            Add storage
          </Button>
        }
      >
        <StorageList place={place} />
      </PanelPart>
      {changing && (
        <Suspense fallback={null}>
          <PlanDialog app={app} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </Panel>
  );
}

/** "3, $3 a month elsewhere": a server of one's own costs nothing here. */
const planText = ({ size, priceCents }: Plan) =>
  `${size}, ${formatMoney(priceCents)}${priceCents > 0 ? ' a month elsewhere' : ''}`;

function PlanFacts({ plan }: { plan: Plan }) {
  return (
    <>
      <Fact name="Memory">{formatPlanMemory(plan.memoryMb)}</Fact>
      <Fact name="CPUs">{plan.cpus}</Fact>
      <Fact name="Transfer">{transferAllowanceGb(plan.size)} GB a month</Fact>
    </>
  );
}

function InForce({ resources, plan }: { resources: Resources; plan: number | null }) {
  const { memoryMb, cpus, hostCpus, containers } = resources;
  const differences = limitDifferences(resources, plan);
  const line = differences.length === 0 ? quietLimits(resources) : null;
  if (line !== null) return <NothingYet>{line}</NothingYet>;
  return (
    <div className={classNames(layout.stack, layout.gap3, styles.inForce)}>
      <dl className={definitionsStyles.grid}>
        <Fact name="New containers">{limitsText({ memoryMb, cpus })}</Fact>
        {containers?.map((container) => (
          <Fact key={container.name} name={container.name}>
            {limitsText(limitsOf(container))}
            {container.state !== 'running' && <small className={typography.subtle}> {container.state}</small>}
            {container.outOfMemory && <Badge tone="bad">Ran out of memory</Badge>}
            {container.restarts > 0 && (
              <small className={typography.subtle}>
                {' '}
                restarted {container.restarts} {container.restarts === 1 ? 'time' : 'times'}
              </small>
            )}
          </Fact>
        ))}
        {containers === null && <Fact name="Containers">not known</Fact>}
        {containers?.length === 0 && <Fact name="Containers">none yet</Fact>}
        <Fact name="Server has">
          {hostCpus === null ? 'not known' : `${hostCpus} ${hostCpus === 1 ? 'CPU' : 'CPUs'}`}
        </Fact>
      </dl>
      {differences.length > 0 && (
        <Banner tone="warn">
          {differences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Banner>
      )}
      {hostCpus !== null && plan !== null && planOf(plan).cpus > hostCpus && (
        <Banner tone="warn">
          <p>
            The plan gives more CPUs than the server has, so its next deploy would be refused. Choose a
            smaller plan.
          </p>
        </Banner>
      )}
    </div>
  );
}
