import { processCountRefused } from '@homeport/contract/apps/processes/facts';
import type { ProcessContainer, ProcessTypeOf } from '@homeport/contract/apps/processes/schema';
import { useId } from 'react';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Badge, Quiet } from '../../../ui/feedback/Status.tsx';
import controlsStyles from '../../../ui/form/controls.module.css';
import typography from '../../../ui/text/typography.module.css';
import styles from './ProcessRow.module.css';
import { Stepper } from './Stepper.tsx';
import { countIn } from './scale-draft.ts';

export interface ProcessRowProps {
  process: ProcessTypeOf;
  /** Those of this type. */
  containers: readonly ProcessContainer[];
  /** What stands in the field. */
  value: string;
  /** Null: app.json sets the number, so nothing can be typed. */
  onChange: ((value: string) => void) | null;
  /** "512 MB, 0.5 CPU" */
  limits: string;
  appStopped: boolean;
  /** Why nothing can be done. */
  refusal: string | null;
  restarting: boolean;
  onRestart: () => void;
}

/** One line: the type, its command, what runs, its limits, and how many are wanted. */
export function ProcessRow({
  process,
  containers,
  value,
  onChange,
  limits,
  appStopped,
  refusal,
  restarting,
  onRestart,
}: ProcessRowProps) {
  const { type, command, quantity } = process;
  const problemId = useId();
  const count = countIn(value);
  const noRestart =
    refusal ??
    (appStopped ? 'The app is stopped.' : quantity === 0 ? `No process of ${type} is wanted.` : null);
  return (
    <li className={styles.row}>
      <span className={typography.strong}>{type}</span>
      <span
        className={classNames(typography.monospace, typography.extraSmall, typography.muted, styles.command)}
        title={command ?? undefined}
      >
        {command ?? ''}
      </span>
      <Running containers={containers} quantity={quantity} appStopped={appStopped} />
      <span className={classNames(typography.small, typography.subtle)}>{limits}</span>
      <span className={styles.wanted}>
        {onChange ? (
          <Stepper
            type={type}
            value={value}
            count={count}
            problemId={count === null ? problemId : undefined}
            disabled={refusal !== null}
            onChange={onChange}
          />
        ) : (
          <span className={typography.small}>
            <b className={typography.strong}>{quantity}</b> wanted
          </span>
        )}
        <Button
          size="sm"
          busy={restarting}
          busyLabel="Restarting"
          disabledReason={noRestart}
          aria-label={`Restart ${type}`}
          onClick={onRestart}
        >
          Restart
        </Button>
      </span>
      {onChange && count === null && (
        <p id={problemId} className={classNames(controlsStyles.error, styles.problem)} role="alert">
          {processCountRefused}
        </p>
      )}
    </li>
  );
}

/** Names up to this many processes one by one. */
const namedAtMost = 4;

function Running({
  containers,
  quantity,
  appStopped,
}: Pick<ProcessRowProps, 'containers' | 'appStopped'> & { quantity: number }) {
  const running = containers.filter(({ state }) => state === 'running').length;
  if (containers.length === 0 || appStopped)
    return quantity === 0 ? (
      <Quiet lamp="nodata">none wanted</Quiet>
    ) : appStopped ? (
      <Quiet lamp="off">stopped</Quiet>
    ) : (
      <Badge tone="bad" lamp="off">
        none of {quantity} runs
      </Badge>
    );
  if (running < containers.length || containers.length > namedAtMost)
    return (
      <span className={styles.lights}>
        {running === containers.length ? (
          <Quiet lamp="on">{running} running</Quiet>
        ) : (
          <Badge tone="bad" lamp="off">
            {running} of {containers.length} running
          </Badge>
        )}
      </span>
    );
  return (
    <span className={styles.lights}>
      {containers.map(({ name }) => (
        <Quiet key={name} lamp="on">
          <span>{name}</span>
        </Quiet>
      ))}
    </span>
  );
}
