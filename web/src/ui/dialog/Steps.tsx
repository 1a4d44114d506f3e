import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { formatElapsed } from './format.ts';
import { Icon, type IconName } from './Icon.tsx';

export type StepState = 'waiting' | 'running' | 'done' | 'warned' | 'failed' | 'skipped' | 'interrupted';

export interface Step {
  key: string;
  title: string;
  state: StepState;
  /** One sentence under the title. */
  note?: ReactNode;
  elapsedMs?: number | null;
}

const look: Record<StepState, { className: string | undefined; icon: IconName | null; word: string }> = {
  waiting: { className: undefined, icon: null, word: 'waiting' },
  running: { className: 'now', icon: 'refresh', word: 'in progress' },
  done: { className: 'done', icon: 'check', word: 'done' },
  warned: { className: 'done warned', icon: 'warning', word: 'done with a warning' },
  skipped: { className: 'skipped', icon: 'right', word: 'skipped' },
  failed: { className: 'fail', icon: 'x', word: 'failed' },
  interrupted: { className: 'stopped', icon: 'pause', word: 'interrupted' },
};

/** An ordered list; each state is said in hidden text as well. */
export function Steps({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map((step) => {
        const { className, icon, word } = look[step.state];
        const spin = step.state === 'running' ? { className: 'spin' } : {};
        return (
          <li
            key={step.key}
            className={classNames('step', className)}
            aria-current={step.state === 'running' ? 'step' : undefined}
          >
            <span className="g">{icon && <Icon name={icon} size={14} {...spin} />}</span>
            <span>
              {step.title}
              <span className="sr">, {word}</span>
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
