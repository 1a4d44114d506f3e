import type { ShownStep } from '@homeport/contract/operations/health';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import { Icon, type IconName } from '../picture/Icon.tsx';
import iconStyles from '../picture/icon.module.css';
import { formatElapsed } from '../text/format.ts';
import styles from './Steps.module.css';

export interface Step {
  key: string;
  title: string;
  state: ShownStep;
  /** One sentence under the title. */
  note?: ReactNode;
  elapsedMs?: number | null;
}

const look: Record<ShownStep, { className: string | undefined; icon: IconName | null; word: string }> = {
  waiting: { className: undefined, icon: null, word: 'waiting' },
  running: { className: styles.running, icon: 'refresh', word: 'in progress' },
  done: { className: styles.done, icon: 'check', word: 'done' },
  warned: { className: classNames(styles.done, styles.warned), icon: 'warning', word: 'done with a warning' },
  skipped: { className: undefined, icon: 'right', word: 'skipped' },
  failed: { className: styles.failed, icon: 'x', word: 'failed' },
  interrupted: { className: styles.stopped, icon: 'pause', word: 'interrupted' },
};

/** An ordered list. Hidden text also names each state. */
export function Steps({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step) => {
        const { className, icon, word } = look[step.state];
        const spin = step.state === 'running' ? { className: iconStyles.spinning } : {};
        return (
          <li
            key={step.key}
            className={classNames(styles.step, className)}
            aria-current={step.state === 'running' ? 'step' : undefined}
          >
            <span className={styles.mark}>{icon && <Icon name={icon} size={14} {...spin} />}</span>
            <span>
              {step.title}
              <span className={layout.visuallyHidden}>, {word}</span>
              {step.note && <small>{step.note}</small>}
            </span>
            {step.elapsedMs !== null && step.elapsedMs !== undefined && (
              <time>{formatElapsed(step.elapsedMs)}</time>
            )}
          </li>
        );
      })}
    </ol>
  );
}
