import { useRef, useState } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { CopyButton } from '../ui/button/CodeLine.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { Checkbox } from '../ui/form/Choice.tsx';
import layout from '../ui/layout/layout.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import fingerprintsStyles from '../ui/text/fingerprints.module.css';
import { formatDate } from '../ui/text/format.ts';
import typography from '../ui/text/typography.module.css';
import type { About, ConnectionQuestion } from './questions.ts';

type Server = ConnectionQuestion['server'];

/** The host key file of each key type on the server, for `ssh-keygen -lf`. */
const keyFiles: Record<string, string> = {
  'ssh-ed25519': 'ed25519',
  'ssh-rsa': 'rsa',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
};

/** The first contact with a server. The page has sent nothing to the server yet. */
export function FirstHostKey({ server, about }: { server: Server; about: About<'host_key_question'> }) {
  const cancel = useRef<HTMLButtonElement>(null);
  const file = `/etc/ssh/ssh_host_${keyFiles[about.algorithm] ?? 'ed25519'}_key.pub`;
  return (
    <Dialog
      open
      alert
      title={`Is this ${server.name}?`}
      description={`This browser meets ${server.ip}${about.address === null ? '' : `, at ${about.address},`} for the first time. Nothing was sent to it yet.`}
      initialFocus={cancel}
      onClose={() => about.answer(false)}
      footer={
        <>
          <Button ref={cancel} className={layout.atEnd} onClick={() => about.answer(false)}>
            Cancel
          </Button>
          <Button variant="primary" onClick={() => about.answer(true)}>
            Accept and connect
          </Button>
        </>
      }
    >
      <div className={classNames(layout.stack, layout.gap5)}>
        <dl className={fingerprintsStyles.fingerprints}>
          <div>
            <dt>Host key fingerprint, {about.algorithm}</dt>
            <dd className={typography.monospace}>
              {about.fingerprint}
              <CopyButton text={about.fingerprint} what="fingerprint" />
            </dd>
          </div>
        </dl>
        <p className={classNames(typography.small, typography.muted)}>
          Compare it with the one your provider’s console shows, or run <code>ssh-keygen -lf {file}</code> on
          the machine itself. Once accepted, this browser connects to no other key without asking.
        </p>
      </div>
    </Dialog>
  );
}

/**
 * The host key changed after it was pinned. The page refuses the server until the user has compared the new
 * key.
 */
export function ChangedHostKey({ server, about }: { server: Server; about: About<'host_key_changed'> }) {
  const [compared, setCompared] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      alert
      title={
        <span className={classNames(layout.row, layout.gap3)}>
          <Icon name="danger" size={24} className={typography.danger} />
          The host key of {server.name} has changed
        </span>
      }
      description="Nothing was sent. Either the machine was reinstalled, or something stands between you and it."
      initialFocus={keep}
      onClose={() => about.answer(false)}
      footer={
        <>
          <Button ref={keep} className={layout.atEnd} onClick={() => about.answer(false)}>
            Keep the old key
          </Button>
          <Button variant="danger" disabled={!compared} onClick={() => about.answer(true)}>
            Accept the new key
          </Button>
        </>
      }
    >
      <div className={classNames(layout.stack, layout.gap5)}>
        <dl className={fingerprintsStyles.fingerprints}>
          <div>
            <dt>
              {about.pinnedAt === null
                ? 'Accepted for this server before'
                : `Pinned on ${formatDate(about.pinnedAt)}`}
            </dt>
            <dd className={typography.monospace}>{about.pinned}</dd>
          </div>
          <div className={fingerprintsStyles.changed}>
            <dt>Offered now</dt>
            <dd className={typography.monospace}>{about.presented}</dd>
          </div>
        </dl>
        {about.address !== null && (
          <p className={classNames(typography.small, typography.longWords)}>
            {server.ip} leads to {about.address} now.
          </p>
        )}
        <p className={classNames(typography.small, typography.muted)}>
          Compare the new key with the one your provider’s console shows, or run <code>ssh-keygen -lf</code>{' '}
          on the machine itself.
        </p>
        <Checkbox
          label="I compared the new fingerprint and it is right"
          checked={compared}
          onChange={(event) => setCompared(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  );
}
