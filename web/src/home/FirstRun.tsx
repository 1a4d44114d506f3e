import type { ReactNode } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './FirstRun.module.css';
import type { FirstSteps } from './first-run.ts';

/** Three steps to the first app. Only the next step has the main button. */
export function FirstRun({ hasKey, sandbox }: FirstSteps & { hasKey: boolean }) {
  const hasServer = sandbox !== null;
  const next = !hasKey ? 'key' : !hasServer ? 'server' : 'app';
  const mainAt = (step: typeof next) => (next === step ? ({ variant: 'primary' } as const) : {});
  return (
    <ol className={styles.steps}>
      <Step
        number={1}
        state={hasKey ? 'done' : 'next'}
        title="Add a keypair"
        text="Homeport reaches your servers over SSH with it. The private key never leaves this browser."
      >
        {hasKey ? (
          <ButtonLink to="/ssh-keys">See your keys</ButtonLink>
        ) : (
          <ButtonLink to="/ssh-keys/new" icon="key" {...mainAt('key')}>
            Add a keypair
          </ButtonLink>
        )}
      </Step>
      <Step
        number={2}
        state={hasServer ? 'done' : next === 'server' ? 'next' : 'later'}
        title="Add your first server"
        text={
          hasServer
            ? `The demo’s ${sandbox} is ready. Add a server of your own at any time.`
            : 'Any cloud machine or bare metal with a public address and SSH.'
        }
      >
        <ButtonLink to="/servers" search={{ add: true }} icon="plus" {...mainAt('server')}>
          Add server
        </ButtonLink>
      </Step>
      <Step
        number={3}
        state={next === 'app' ? 'next' : 'later'}
        title="Deploy an app"
        text="Push your code with git. Building, HTTPS and the domain are taken care of."
      >
        {next === 'app' ? (
          <ButtonLink to="/apps/new" icon="plus" {...mainAt('app')}>
            New app
          </ButtonLink>
        ) : (
          <Button icon="plus" disabledReason={hasServer ? 'Add a keypair first' : 'Add a server first'}>
            New app
          </Button>
        )}
      </Step>
    </ol>
  );
}

interface StepProps {
  number: number;
  state: 'done' | 'next' | 'later';
  title: string;
  text: string;
  children: ReactNode;
}

function Step({ number, state, title, text, children }: StepProps) {
  const isDone = state === 'done';
  return (
    <li className={isDone ? styles.done : state === 'next' ? styles.next : undefined}>
      <span className={styles.number} aria-hidden="true">
        {isDone ? <Icon name="check" size={16} /> : number}
      </span>
      <div>
        <b className={typography.strong}>{title}</b>
        {isDone && <span className={layout.visuallyHidden}>, done</span>}
        <p className={classNames(typography.small, typography.muted)}>{text}</p>
      </div>
      {children}
    </li>
  );
}
