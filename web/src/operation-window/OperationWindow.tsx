import { shownStep } from '@homeport/contract/operations/health';
import type { Operation } from '@homeport/contract/operations/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { useSession } from '../data/session.ts';
import { useAct } from '../data/use-api.ts';
import { RanCommands } from '../operations/RanCommands.tsx';
import { neededConnection, reconnect } from '../operations/reconnect.ts';
import { useOperation } from '../operations/use-operation.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { OperationDialog } from '../ui/dialog/OperationDialog.tsx';
import type { Step } from '../ui/dialog/Steps.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';
import { useNow } from '../ui/text/use-now.ts';
import { looks, offersCancel } from './looks.ts';
import { remarkOf } from './remark-of.ts';
import { Warnings } from './Warnings.tsx';

/** The window of a running or finished operation. It follows, resumes, repeats and cancels the operation. */
export function OperationWindow({ id, onClose }: { id: string; onClose: () => void }) {
  const { operation, log, stream, followAgain } = useOperation(id);
  const session = useSession();
  const router = useRouter();
  const now = useNow(operation && operation.endedAt === null ? 1_000 : null);
  const failed = (error: Error) => toast.bad(problemText(error));
  const retry = useAct('POST /api/operations/:id/retry', { onDone: followAgain, onFailed: failed });
  // `useKeepGoing` then opens the connection, as for all work of this sign-in.
  const takeOver = useAct('POST /api/operations/:id/continue', { onFailed: failed });
  const cancel = useAct('POST /api/operations/:id/cancel', { onFailed: failed });
  if (!operation) return null;

  const { titleOf, descriptionOf, progressOf, after, onOk, ...look } = looks[operation.kind] ?? {};
  const progress = progressOf?.(operation);
  const needed = neededConnection(operation, session.id);
  const remark = needed?.elsewhere
    ? 'This waits for a connection of another sign-in of yours, which began it.'
    : remarkOf(operation);
  return (
    <OperationDialog
      {...look}
      open
      title={titleOf?.(operation) ?? operation.title}
      description={descriptionOf?.(operation)}
      state={operation.state}
      steps={operation.steps.map((step) => toStep(step, operation.state, now))}
      log={log}
      stream={stream}
      place={operation.serverName ?? 'the server'}
      elapsedMs={operation.startedAt === null ? null : (operation.endedAt ?? now) - operation.startedAt}
      remark={
        remark && (
          <span className={classNames(layout.row, layout.wrap, layout.gap3)}>
            {remark}
            {needed && !needed.elsewhere && <Connect needed={needed} />}
            {needed?.elsewhere && (
              <Button
                size="sm"
                icon="link"
                busy={takeOver.isPending}
                busyLabel="Continuing"
                onClick={() => takeOver.mutate({ params: { id } })}
              >
                Continue here
              </Button>
            )}
          </span>
        )
      }
      onClose={onClose}
      onRetry={() => retry.mutate({ params: { id } })}
      onCancel={offersCancel(operation, now) ? () => cancel.mutate({ params: { id } }) : undefined}
      {...(progress ? { progress } : {})}
      {...(onOk
        ? {
            onOk: () => {
              onClose();
              onOk(operation, (path) => router.history.push(path));
            },
          }
        : {})}
    >
      {!progress && <Warnings operation={operation} />}
      {after?.(operation)}
      <RanCommands operationId={id} />
    </OperationDialog>
  );
}

function toStep(step: Operation['steps'][number], state: Operation['state'], now: number): Step {
  const account = step.account ? `As ${step.account}` : null;
  return {
    key: step.key,
    title: step.title,
    state: shownStep(step.state, state),
    note: [step.note, account].filter(Boolean).join(' · ') || null,
    elapsedMs: step.startedAt === null ? null : (step.endedAt ?? now) - step.startedAt,
  };
}

function Connect({ needed }: { needed: { serverId: string; user: string } }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const connect = async () => {
    setBusy(true);
    try {
      const end = await reconnect(client, needed, { quiet: false });
      if (end.status === 'failed' && end.code !== 'declined') toast.bad(end.message);
    } catch (error) {
      toast.bad(problemText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" icon="link" busy={busy} busyLabel="Connecting" onClick={connect}>
      Connect as {needed.user}
    </Button>
  );
}
