import { isOver, type OperationState } from '@homeport/contract/operations/facts';
import { operationStateText } from '@homeport/contract/operations/health';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { useCopy } from '../button/use-copy.ts';
import { classNames } from '../class-names.ts';
import { Progress } from '../feedback/Progress.tsx';
import { Badge, Lamp } from '../feedback/Status.tsx';
import { WorkBadge } from '../feedback/WorkBadge.tsx';
import layout from '../layout/layout.module.css';
import { LogView } from '../log/LogView.tsx';
import type { LogLine } from '../log/log-lines.ts';
import { logText } from '../log/log-lines.ts';
import { formatElapsed } from '../text/format.ts';
import typography from '../text/typography.module.css';
import { Dialog } from './Dialog.tsx';
import dialogStyles from './dialog.module.css';
import styles from './OperationDialog.module.css';
import { offeredWays } from './offered-ways.ts';
import { type Step, Steps } from './Steps.tsx';

/** The state of the operation's stream. The operation itself goes on without the stream. */
export type StreamState =
  | { kind: 'live' }
  | { kind: 'lost'; retryInSeconds: number | null; attempt: number; attempts: number; onRetryNow: () => void }
  | { kind: 'ended' };

export interface OperationDialogProps {
  open: boolean;
  /** "Creating ledger-api on lantern", or "Installing.." */
  title: string;
  description?: ReactNode;
  state: OperationState;
  steps: readonly Step[];
  log: { lines: readonly LogLine[]; dropped: boolean };
  stream: StreamState;
  /** The server on which the operation runs: "lantern". */
  place: string;
  elapsedMs: number | null;
  /** `log`: steps beside a tall log. `install`: percentage and bar above both. */
  layout?: 'log' | 'install';
  /** For `install`: the percentage and its meaning now. */
  progress?: { percent: number; label: string; ticks?: readonly { percent: number; label: string }[] };
  /** The log stays open after success: the output is the result. */
  keepsLog?: boolean;
  /** The user cannot close the window until the operation is over. */
  locked?: boolean;
  /** One sentence on the failure, the wait or the interruption. */
  remark?: ReactNode;
  /** The label of the button that takes the focus at the end: "OK". */
  okLabel?: string;
  /** Stands at the left of OK while the operation runs: "OK opens the app once it is finished". */
  okHint?: string;
  onOk?: () => void;
  onClose: () => void;
  onRetry?: (() => void) | undefined;
  onCancel?: (() => void) | undefined;
  /** Closes this many milliseconds after success, with a visible countdown and Keep open. */
  closesAfterMs?: number;
  /** Stands under the log: instructions, or the commands that ran. */
  children?: ReactNode;
}

const remarkClass: Partial<Record<OperationState, string | undefined>> = {
  failed: styles.failed,
  interrupted: styles.interrupted,
  waiting: styles.waiting,
};

export function OperationDialog(props: OperationDialogProps) {
  const { open, title, description, state, steps, log, stream, progress, locked = false, remark } = props;
  const { layout: arrangement = 'log', onClose, children } = props;
  const ok = useRef<HTMLButtonElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const [recordOpen, setRecordOpen] = useState(false);
  const done = state === 'succeeded';
  const closed = isOver(state);
  const running = steps.find((step) => step.state === 'running');

  // In the commit that takes the steps away. Later, the dialog has found the focus lost, and takes it for itself in the next frame.
  useLayoutEffect(() => {
    if (done) ok.current?.focus();
  }, [done]);

  const isInstall = arrangement === 'install';
  const isFolded = done && !isInstall && props.keepsLog !== true;
  const head =
    isInstall && progress ? (
      <span className={styles.percent}>{Math.round(progress.percent)} %</span>
    ) : closed ? undefined : (
      <StateBadge state={state} steps={steps} />
    );
  return (
    <Dialog
      open={open}
      onClose={onClose}
      locked={locked && !closed}
      size={isInstall ? 'install' : 'wide'}
      flush
      initialFocus={done ? ok : side}
      className={classNames(styles.operation, isFolded && styles.finished)}
      title={title}
      description={description ?? (isFolded ? <WorkBadge state="succeeded" /> : undefined)}
      {...(head ? { headEnd: head } : {})}
      footer={<Foot {...props} ok={ok} />}
    >
      <p className={layout.visuallyHidden} role="status">
        {running ? `${running.title}, in progress` : operationStateText(state)}
      </p>
      {remark && (
        <div
          className={classNames(styles.remark, remarkClass[state])}
          role={state === 'failed' ? 'alert' : 'status'}
        >
          {remark}
        </div>
      )}
      {isInstall && progress && (
        <div className={classNames(dialogStyles.body, styles.progress)}>
          <Progress {...progress} failed={state === 'failed'} />
        </div>
      )}
      {isFolded ? (
        <div className={classNames(dialogStyles.body, styles.result)}>
          {children}
          <details
            className={styles.record}
            open={recordOpen}
            onToggle={(event) => setRecordOpen(event.currentTarget.open)}
          >
            <summary>{recordText(steps, props.elapsedMs, recordOpen)}</summary>
            {recordOpen && (
              <>
                <Steps label="Steps" steps={steps} />
                {log.lines.length > 0 && <pre className={styles.text}>{logText(log.lines)}</pre>}
              </>
            )}
          </details>
        </div>
      ) : (
        <>
          <div className={isInstall ? styles.installation : styles.work}>
            <div ref={side} className={styles.side} tabIndex={-1}>
              <Steps label="Steps" steps={steps} />
            </div>
            <div className={styles.log}>
              <LogView
                label={`Log of ${title}`}
                lines={log.lines}
                dropped={log.dropped}
                live={!closed && stream.kind === 'live'}
                empty={closed ? 'The commands printed nothing' : 'Nothing is printed yet'}
              />
            </div>
          </div>
          {children && <div className={classNames(dialogStyles.body, styles.after)}>{children}</div>}
        </>
      )}
    </Dialog>
  );
}

/** "8 of 8 steps, 0:42. Show log". What went on is one line once the result is there. */
function recordText(steps: readonly Step[], elapsedMs: number | null, open: boolean): string {
  const done = steps.filter(({ state }) => state === 'done' || state === 'warned').length;
  const time = elapsedMs === null ? '' : `, ${formatElapsed(elapsedMs)}`;
  return `${done} of ${steps.length} steps${time}. ${open ? 'Hide' : 'Show'} log`;
}

function StateBadge({ state, steps }: Pick<OperationDialogProps, 'state' | 'steps'>) {
  const at = steps.findIndex((step) => step.state === 'running');
  const running = state === 'running';
  return (
    <Badge tone="info" icon={running ? 'refresh' : 'clock'} spinning={running}>
      {running ? `Step ${Math.max(1, at + 1)} of ${steps.length}` : operationStateText(state)}
    </Badge>
  );
}

/** The state of the stream, the countdown, and the buttons. */
function Foot(props: OperationDialogProps & { ok: RefObject<HTMLButtonElement | null> }) {
  const { state, log, stream, place, elapsedMs, locked = false, okLabel = 'OK', okHint, ok } = props;
  const { onOk, onClose, onRetry, onCancel, closesAfterMs } = props;
  const { state: copied, copy } = useCopy();
  const [keepOpen, setKeepOpen] = useState(false);
  const done = state === 'succeeded';
  const closed = isOver(state);
  const counting = done && closesAfterMs !== undefined && !keepOpen;
  const left = useCountdown(counting ? closesAfterMs : null, onClose);
  const ways = offeredWays(state, locked);
  return (
    <>
      <span className={classNames(layout.row, typography.extraSmall, typography.muted)}>
        <StreamLine stream={stream} place={place} elapsedMs={elapsedMs} closed={closed} />
      </span>
      {left !== null && (
        <span className={classNames(layout.row, typography.extraSmall, typography.muted)}>
          Closes in {left} s
          <Button size="sm" onClick={() => setKeepOpen(true)}>
            Keep open
          </Button>
        </span>
      )}
      <span className={classNames(layout.row, layout.atEnd)}>
        {!closed && okHint && (
          <span className={classNames(typography.extraSmall, typography.subtle, layout.notOnPhone)}>
            {okHint}
          </span>
        )}
        {onCancel && ways.cancel && <Button onClick={onCancel}>Cancel</Button>}
        {ways.copyLog && (
          <Button icon={copied === 'copied' ? 'check' : 'copy'} onClick={() => copy(logText(log.lines))}>
            {copied === 'copied' ? 'Copied' : 'Copy log'}
          </Button>
        )}
        {onRetry && ways.runAgain && (
          <Button variant="primary" icon="refresh" onClick={onRetry}>
            Run again
          </Button>
        )}
        {ways.close && (
          <Button {...(onOk ? {} : { ref: ok })} onClick={onClose}>
            Close
          </Button>
        )}
        {onOk && (
          <Button ref={ok} variant={done ? 'primary' : 'default'} disabled={!done} onClick={onOk}>
            {okLabel}
          </Button>
        )}
      </span>
    </>
  );
}

function StreamLine({
  stream,
  place,
  elapsedMs,
  closed,
}: {
  stream: StreamState;
  place: string;
  elapsedMs: number | null;
  closed: boolean;
}) {
  if (stream.kind === 'lost' && !closed)
    return (
      <>
        <Lamp state="off" />
        Connection lost. The work goes on.{' '}
        {stream.retryInSeconds !== null &&
          `Trying again in ${stream.retryInSeconds} s (${stream.attempt} of ${stream.attempts})`}
        <Button size="sm" onClick={stream.onRetryNow}>
          Try now
        </Button>
      </>
    );
  const time = elapsedMs === null ? '' : `, ${formatElapsed(elapsedMs)}`;
  if (closed || stream.kind === 'ended')
    return (
      <>
        {place}
        {time}
      </>
    );
  return (
    <>
      <Lamp state="on" />
      Streaming from {place}
      {time}
    </>
  );
}

/** The whole seconds until `end` runs. null without a countdown. */
function useCountdown(fromMs: number | null, end: () => void): number | null {
  const [left, setLeft] = useState<number | null>(null);
  const atEnd = useRef(end);
  atEnd.current = end;
  useEffect(() => {
    if (fromMs === null) {
      setLeft(null);
      return;
    }
    const until = Date.now() + fromMs;
    const tick = () => {
      const seconds = Math.ceil((until - Date.now()) / 1000);
      setLeft(seconds);
      if (seconds <= 0) atEnd.current();
    };
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [fromMs]);
  return left;
}
