import { Button } from '../../ui/button/Button.tsx';
import { CodeLine } from '../../ui/button/CodeLine.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import layout from '../../ui/layout/layout.module.css';

interface Props {
  name: string;
  secret: string;
  onClose: () => void;
}

/** The secret that signs the messages of a webhook. Only this window ever shows it. */
export function ShownSecret({ name, secret, onClose }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Secret of ${name}`}
      description="Copy the secret now. The console keeps it encrypted and does not show it again."
      footer={
        <Button className={layout.atEnd} variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className={layout.stack}>
        <CodeLine text={secret} what="secret" masked wrap />
        <Banner>
          Your program checks the signature of each message with it, by a library of Standard Webhooks.
        </Banner>
      </div>
    </Dialog>
  );
}
