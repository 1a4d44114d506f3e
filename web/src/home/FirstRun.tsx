import { Button } from '../ui/Button.tsx';
import { ButtonLink } from '../ui/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/Icon.tsx';

/** Three steps to the first app; only the next one carries the lamp. */
export function FirstRun({ hasKey }: { hasKey: boolean }) {
  return (
    <ol className="begin">
      <li className={hasKey ? 'done' : 'now'}>
        <span className="k" aria-hidden="true">
          {hasKey ? <Icon name="check" size={16} /> : 1}
        </span>
        <div>
          <b className="strong">Add a keypair</b>
          {hasKey && <span className="sr">, done</span>}
          <p className="sm muted">
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
      <li className={classNames(hasKey && 'now')}>
        <span className="k" aria-hidden="true">
          2
        </span>
        <div>
          <b className="strong">Add your first server</b>
          <p className="sm muted">Any cloud machine or bare metal with a public IPv4 address and SSH.</p>
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
        <span className="k" aria-hidden="true">
          3
        </span>
        <div>
          <b className="strong">Deploy an app</b>
          <p className="sm muted">
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
