import type { Server } from '@homeport/contract/servers/schema';
import { useState } from 'react';
import type { ServerTrust } from '../../../connections/server-trust.ts';
import { problemText } from '../../../data/problem-text.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { CopyButton } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { Switch } from '../../../ui/form/Choice.tsx';
import layout from '../../../ui/layout/layout.module.css';
import fingerprintsStyles from '../../../ui/text/fingerprints.module.css';
import { formatDate } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { useTrust } from './use-trust.ts';

/**
 * Shows both copies of the accepted host key. The browser's copy decides over keys. The console's copy guards
 * passwords.
 */
export function HostKeyDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const { trust, askEachTime, withdrawPlain, repin } = useTrust(server);
  const [failure, setFailure] = useState<string | null>(null);
  const pin = trust?.pin ?? null;
  const stored = server.hostKeyFingerprint;
  const differ = pin !== null && stored !== null && pin !== stored;

  const again = async () => {
    // The question about the key opens a dialog of its own.
    onClose();
    try {
      const end = await repin();
      if (end.status === 'ready') toast.ok('Host key accepted');
      else if (end.code === 'declined') toast.info('The host key was not accepted', { detail: end.message });
      else toast.bad('The host key could not be asked for', { detail: end.message });
    } catch (error) {
      toast.bad(problemText(error));
    }
  };

  return (
    <Dialog
      open
      title={`Host key of ${server.name}`}
      description="A server proves with this key that it is the one you accepted."
      onClose={onClose}
      footer={
        <>
          <Button variant="danger-quiet" onClick={() => void again()}>
            Forget and ask again
          </Button>
          <Button className={layout.atEnd} onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className={classNames(layout.stack, layout.gap5)}>
        {differ && (
          <Banner tone="warn">
            The two are not the same: another browser accepted another key. Compare both with the one your
            provider’s console shows.
          </Banner>
        )}
        <dl className={fingerprintsStyles.fingerprints}>
          <Fingerprint
            name={trust?.pinnedAt ? `This browser, pinned on ${formatDate(trust.pinnedAt)}` : 'This browser'}
            fingerprint={pin}
            none="Nothing accepted here yet: the next connection asks."
          />
          <Fingerprint
            name={server.hostKeyAlgorithm ? `Homeport’s copy, ${server.hostKeyAlgorithm}` : 'Homeport’s copy'}
            fingerprint={stored}
            none="None yet: Homeport stores the first key that you accept."
          />
        </dl>
        {trust && pin && server.credential !== 'password' && (
          <Binding
            trust={trust}
            onWithdraw={() => {
              setFailure(null);
              withdrawPlain().catch((error: unknown) => setFailure(problemText(error)));
            }}
          />
        )}
        <Switch
          label="Ask me before each connection"
          help="In this browser. Without it, the page connects by itself when you act on the server."
          checked={trust?.askEachTime ?? false}
          disabled={!trust}
          onChange={(event) => {
            setFailure(null);
            askEachTime(event.currentTarget.checked).catch((error: unknown) =>
              setFailure(problemText(error)),
            );
          }}
        />
        {failure && (
          <p className={classNames(typography.small, typography.danger)} role="alert">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Says whether another server could accept a signature that this browser makes for the server. */
function Binding({ trust, onWithdraw }: { trust: ServerTrust; onWithdraw: () => void }) {
  if (trust.plainAgreedAt !== null) {
    return (
      <Banner
        tone="warn"
        action={
          <Button size="sm" onClick={onWithdraw}>
            Withdraw
          </Button>
        }
      >
        Its SSH server is older: signatures are not bound to it. You agreed on{' '}
        {formatDate(trust.plainAgreedAt)}, for a key that opens nothing else.
      </Banner>
    );
  }
  return (
    <p className={classNames(typography.small, typography.muted)}>
      {trust.hostBoundAt === null
        ? 'This browser signs only what no other server accepts. If this server is too old for that, you are asked.'
        : `Signatures are bound to this key since ${formatDate(trust.hostBoundAt)}: no other server accepts them.`}
    </p>
  );
}

function Fingerprint({
  name,
  fingerprint,
  none,
}: {
  name: string;
  fingerprint: string | null;
  none: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={fingerprint ? typography.monospace : typography.subtle}>
        {fingerprint ?? none}
        {fingerprint && <CopyButton text={fingerprint} what={`fingerprint of ${name}`} />}
      </dd>
    </div>
  );
}
