import '../../connections/questions.css';
import type { Server } from '@homeport/contract/servers';
import { useState } from 'react';
import { problemText } from '../../data/api-problem.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Switch } from '../../ui/Choice.tsx';
import { CopyButton } from '../../ui/CodeLine.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatDate } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { useTrust } from './use-trust.ts';

/** Both copies of the accepted host key. This browser's decides for keys; the console's is shown and guards passwords. */
export function HostKeyDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const { trust, askEachTime, repin } = useTrust(server);
  const [failure, setFailure] = useState<string | null>(null);
  const pin = trust?.pin ?? null;
  const stored = server.hostKeyFingerprint;
  const differ = pin !== null && stored !== null && pin !== stored;

  const again = async () => {
    // The question about the key comes up in a dialog of its own.
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
          <Button className="end" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <div className="stack g5">
        {differ && (
          <Banner tone="warn">
            The two are not the same: another browser accepted another key. Compare both with the one your
            provider’s console shows.
          </Banner>
        )}
        <dl className="fps">
          <Fingerprint
            name={trust?.pinnedAt ? `This browser, pinned on ${formatDate(trust.pinnedAt)}` : 'This browser'}
            fingerprint={pin}
            none="Nothing accepted here yet: the next connection asks."
          />
          <Fingerprint
            name={server.hostKeyAlgorithm ? `Homeport’s copy, ${server.hostKeyAlgorithm}` : 'Homeport’s copy'}
            fingerprint={stored}
            none="None yet: the first connection brings it."
          />
        </dl>
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
          <p className="sm danger-ink" role="alert">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
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
      <dd className={fingerprint ? 'mono' : 'subtle'}>
        {fingerprint ?? none}
        {fingerprint && <CopyButton text={fingerprint} what={`fingerprint of ${name}`} />}
      </dd>
    </div>
  );
}
