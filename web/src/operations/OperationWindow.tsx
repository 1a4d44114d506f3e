import type { Operation } from '@homeport/contract/operations';
import type { ReactNode } from 'react';
import { problemText } from '../data/api-problem.ts';
import { useAct } from '../data/use-api.ts';
import { OperationDialog, type OperationDialogProps } from '../ui/OperationDialog.tsx';
import type { Step } from '../ui/Steps.tsx';
import { toast } from '../ui/toasts.ts';
import { useNow } from '../ui/use-now.ts';
import { useOperation } from './use-operation.ts';

export interface OperationWindowProps
  extends Pick<
    OperationDialogProps,
    'layout' | 'progress' | 'locked' | 'okLabel' | 'okHint' | 'closesAfterMs'
  > {
  /** The operation to follow; null closes the window. */
  id: string | null;
  /** In place of the operation's own title: "Installing..", "Setup Completed!". */
  titleOf?: (operation: Operation) => string;
  /** The percentage and what it means, for the `install` layout. */
  progressOf?: (operation: Operation) => OperationDialogProps['progress'];
  /** Under the log: what the finished work tells (deployment instructions). */
  after?: (operation: Operation) => ReactNode;
  onClose: () => void;
  onOk?: (operation: Operation) => void;
}

/** A running or finished operation in its window: followed, resumed, repeated and cancelled from here. */
export function OperationWindow({
  id,
  titleOf,
  progressOf,
  after,
  onClose,
  onOk,
  ...look
}: OperationWindowProps) {
  const { operation, log, stream, followAgain } = useOperation(id);
  const now = useNow(operation && operation.endedAt === null ? 1_000 : null);
  const failed = (error: Error) => toast.bad(problemText(error));
  const retry = useAct('POST /api/operations/:id/retry', { onDone: followAgain, onFailed: failed });
  const cancel = useAct('POST /api/operations/:id/cancel', { onFailed: failed });
  if (id === null || !operation) return null;

  const progress = progressOf?.(operation);
  const waits = operation.state === 'queued' || operation.state === 'waiting';
  return (
    <OperationDialog
      {...look}
      open
      title={titleOf?.(operation) ?? operation.title}
      state={operation.state}
      steps={operation.steps.map((step) => toStep(step, operation.state, now))}
      log={log}
      stream={stream}
      place={operation.serverName ?? 'the server'}
      elapsedMs={operation.startedAt === null ? null : (operation.endedAt ?? now) - operation.startedAt}
      remark={remarkOf(operation)}
      onClose={onClose}
      onRetry={operation.state === 'cancelled' ? undefined : () => retry.mutate({ params: { id } })}
      onCancel={waits ? () => cancel.mutate({ params: { id } }) : undefined}
      {...(progress ? { progress } : {})}
      {...(onOk ? { onOk: () => onOk(operation) } : {})}
    >
      {after?.(operation)}
    </OperationDialog>
  );
}

function toStep(step: Operation['steps'][number], state: Operation['state'], now: number): Step {
  const stopped = state === 'interrupted' && step.state === 'running';
  return {
    key: step.key,
    title: step.title,
    state: stopped ? 'interrupted' : step.state,
    note: step.note,
    elapsedMs: step.startedAt === null ? null : (step.endedAt ?? now) - step.startedAt,
  };
}

function remarkOf(operation: Operation): ReactNode {
  if (operation.waitingFor) return operation.waitingFor.text;
  if (operation.problem) return `${operation.problem.message} ${operation.problem.recovery}`;
  if (operation.state === 'interrupted') {
    return 'The console was restarted while this ran. Running it again is safe: it goes on from the first unfinished step.';
  }
  return null;
}
