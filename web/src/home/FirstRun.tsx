import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './FirstRun.module.css';

/** Three steps to the first app. Only the next step has the main button. */
export function FirstRun({ hasKey }: { hasKey: boolean }) {
  return (
    <ol className={styles.steps}>
      <li className={hasKey ? styles.done : styles.next}>
        <span className={styles.number} aria-hidden="true">
          {hasKey ? <Icon name="check" size={16} /> : 1}
        </span>
        <div>
          <b className={typography.strong}>Add a keypair</b>
          {hasKey && <span className={layout.visuallyHidden}>, done</span>}
          <p className={classNames(typography.small, typography.muted)}>
            Homeport reaches your servers over SSH with it. The private key never leaves this browser.
          </p>
        </div>
        {hasKey ? (
          <ButtonLink to="/ssh-keys">See your keys</ButtonLink>
        ) : (
          <ButtonLink to="/ssh-keys/new" variant="primary" icon="key">
            Add a keypair
          </ButtonLink>
        )}
      </li>
      <li className={classNames(hasKey && styles.next)}>
        <span className={styles.number} aria-hidden="true">
          2
        </span>
        <div>
          <b className={typography.strong}>Add your first server</b>
          <p className={classNames(typography.small, typography.muted)}>
            Any cloud machine or bare metal with a public address and SSH.
          </p>
        </div>
        <ButtonLink
          to="/servers"
          search={{ add: true }}
          icon="plus"
          {...(hasKey ? { variant: 'primary' } : {})}
        >
          Add server
        </ButtonLink>
      </li>
      <li>
        <span className={styles.number} aria-hidden="true">
          3
        </span>
        <div>
          <b className={typography.strong}>Deploy an app</b>
          <p className={classNames(typography.small, typography.muted)}>
            Push your code with git. Building, HTTPS and the domain are taken care of.
          </p>
        </div>
        <Button icon="plus" disabledReason="Add a server first">
          New app
        </Button>
      </li>
    </ol>
  );
}
