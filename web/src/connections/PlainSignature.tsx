import { useRef, useState } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { Checkbox } from '../ui/form/Choice.tsx';
import layout from '../ui/layout/layout.module.css';
import typography from '../ui/text/typography.module.css';
import type { About, ConnectionQuestion } from './questions.ts';

/**
 * Asks to accept an older server. The agreement is stored beside the pin, and the user withdraws it where the
 * pin is shown.
 */
export function PlainSignature({
  server,
  about,
}: {
  server: ConnectionQuestion['server'];
  about: About<'plain_signature_question'>;
}) {
  const [agreed, setAgreed] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      alert
      title={`${server.name} has an older SSH server`}
      description="Signatures cannot be bound to this server. Nothing has been signed yet."
      initialFocus={cancel}
      onClose={() => about.answer(false)}
      footer={
        <>
          <Button ref={cancel} className={layout.atEnd} onClick={() => about.answer(false)}>
            Cancel
          </Button>
          <Button variant="danger" disabled={!agreed} onClick={() => about.answer(true)}>
            Sign without binding
          </Button>
        </>
      }
    >
      <div className={classNames(layout.stack, layout.gap5)}>
        <p className={typography.small}>
          OpenSSH 8.9 and later take signatures that only the server you pinned accepts. Without that,
          somebody who controls this console and holds the host key of {server.name} can use your signature on
          another server that accepts the same key.
        </p>
        <p className={classNames(typography.small, typography.muted)}>
          It is best to update OpenSSH on {server.name}. If you cannot, use a key that opens nothing else. You
          can withdraw this in the server’s settings, under “Host key”.
        </p>
        <Checkbox
          label="The key for this server opens nothing else"
          checked={agreed}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  );
}
