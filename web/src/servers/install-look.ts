import { installDialogClosesAfterMs } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import type { Operation } from '@homeport/contract/operations/schema';
import { type InstallStep, installPercents } from '@homeport/contract/servers/facts';
import { earlyEnd } from '../operations/early-end.ts';
import type { OperationLook } from '../operations/operation-look.ts';

/** The percentage at which each part of the installation begins, as the specification says. `step`: only where it has this step. */
const ticks: readonly { percent: number; label: string; step: InstallStep | null }[] = [
  { percent: installPercents.agent, label: 'Monitoring', step: 'agent' },
  { percent: installPercents.dokku, label: 'Dokku', step: 'dokku' },
  { percent: installPercents.plugins, label: 'Bootstrapped', step: null },
  { percent: 100, label: 'Ready', step: null },
];

/**
 * The window of an installation, with a percentage and a bar. It closes by itself once the server is ready.
 */
export const installLook: OperationLook = {
  layout: 'install',
  closesAfterMs: installDialogClosesAfterMs,
  titleOf,
  descriptionOf: ({ serverName }) => serverName,
  progressOf: (operation) => ({
    percent: operation.percent ?? 0,
    label: labelOf(operation),
    ticks: ticks.filter(({ step }) => step === null || operation.steps.some(({ key }) => key === step)),
  }),
};

type Shown = Pick<Operation, 'state' | 'steps'>;

export function titleOf(operation: Shown): string {
  if (operation.state === 'succeeded') return messages.setupCompleted;
  if (operation.state === 'cancelled' || operation.state === 'interrupted')
    return `The installation ${earlyEnd(operation.state)}`;
  const failed = operation.steps.find(({ state }) => state === 'failed')?.key;
  if (operation.state !== 'failed') return messages.installing;
  // A failure of the console itself may name no step.
  if (failed === undefined) return 'The installation stopped';
  if (failed === 'agent') return messages.monitoringFailed;
  return bootstrapSteps.includes(failed) ? messages.bootstrapFailed : 'The installation stopped';
}

const bootstrapSteps: readonly string[] = ['dokku', 'configure', 'plugins'] satisfies InstallStep[];

/** The step that runs or failed. The store keeps the step of a vanished console as running, although nothing runs. */
function labelOf(operation: Shown): string {
  const ended = operation.state === 'cancelled' || operation.state === 'interrupted';
  const step = operation.steps.find(({ state }) => state === 'running' || state === 'failed');
  return step && !ended ? step.title : titleOf(operation);
}
