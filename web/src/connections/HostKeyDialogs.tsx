import { useRef, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Choice.tsx';
import { CopyButton } from '../ui/CodeLine.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { formatDate } from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import type { About } from './QuestionDialog.tsx';
import type { ConnectionQuestion } from './questions.ts';

type Server = ConnectionQuestion['server'];

/** The file of each host key type on the server, for `ssh-keygen -lf`. */
const keyFiles: Record<string, string> = {
  'ssh-ed25519': 'ed25519',
  'ssh-rsa': 'rsa',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
};

/** First contact: nothing was sent to the server yet. */
export function FirstHostKey({ server, about }: { server: Server; about: About<'host_key_question'> }) {
  const cancel = useRef<HTMLButtonElement>(null);
  const file = `/etc/ssh/ssh_host_${keyFiles[about.algorithm] ?? 'ed25519'}_key.pub`;
  return (
    <Dialog
      open
      alert
      title={`Is this ${server.name}?`}
      description={`This browser meets ${server.ip} for the first time. Nothing was sent to it yet.`}
      initialFocus={cancel}
      onClose={() => about.answer(false)}
      footer={
        <>
          <Button ref={cancel} className="end" onClick={() => about.answer(false)}>
            Cancel
          </Button>
          <Button variant="primary" onClick={() => about.answer(true)}>
            Accept and connect
          </Button>
        </>
      }
    >
      <div className="stack g5">
        <dl className="fps">
          <div>
            <dt>Host key fingerprint, {about.algorithm}</dt>
            <dd className="mono">
              {about.fingerprint}
              <CopyButton text={about.fingerprint} what="fingerprint" />
            </dd>
          </div>
        </dl>
        <p className="sm muted">
          Compare it with the one your provider’s console shows, or run <code>ssh-keygen -lf {file}</code> on
          the machine itself. Once accepted, this browser connects to no other key without asking.
        </p>
      </div>
    </Dialog>
  );
}

/** A later change: refused until the person compared the new key. */
export function ChangedHostKey({ server, about }: { server: Server; about: About<'host_key_changed'> }) {
  const [compared, setCompared] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      alert
      title={
        <span className="row g3">
          <Icon name="danger" size={24} className="danger" />
          The host key of {server.name} has changed
        </span>
      }
      description="Nothing was sent. Either the machine was reinstalled, or something stands between you and it."
      initialFocus={keep}
      onClose={() => about.answer(false)}
      footer={
        <>
          <Button ref={keep} className="end" onClick={() => about.answer(false)}>
            Keep the old key
          </Button>
          <Button variant="danger" disabled={!compared} onClick={() => about.answer(true)}>
            Accept the new key
          </Button>
        </>
      }
    >
      <div className="stack g5">
        <dl className="fps">
          <div>
            <dt>
              {about.pinnedAt === null
                ? 'Accepted for this server before'
                : `Pinned on ${formatDate(about.pinnedAt)}`}
            </dt>
            <dd className="mono">{about.pinned}</dd>
          </div>
          <div className="new">
            <dt>Offered now</dt>
            <dd className="mono">{about.presented}</dd>
          </div>
        </dl>
        <p className="sm muted">
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
