import { Button } from '../ui/button/Button.tsx';
import { CodeLine } from '../ui/button/CodeLine.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import layout from '../ui/layout/layout.module.css';
import { Tabs } from '../ui/layout/Tabs.tsx';
import styles from './KeyHelpDialog.module.css';

export interface KeyHelpDialogProps {
  onClose: () => void;
  /** null if the user cannot generate a key from here. */
  onGenerate: (() => void) | null;
}

interface Way {
  value: string;
  label: string;
  where: string;
  make: string;
  publicHalf: string;
  privateHalf: string;
  note?: string;
}

const ways: readonly Way[] = [
  {
    value: 'mac',
    label: 'Mac',
    where: 'Open Terminal',
    make: 'ssh-keygen -t ed25519 -f ~/.ssh/homeport -C homeport',
    publicHalf: 'pbcopy < ~/.ssh/homeport.pub',
    privateHalf: 'pbcopy < ~/.ssh/homeport',
  },
  {
    value: 'windows',
    label: 'Windows',
    where: 'Open PowerShell',
    make: 'ssh-keygen -t ed25519 -f $HOME\\.ssh\\homeport -C homeport',
    publicHalf: 'Get-Content $HOME\\.ssh\\homeport.pub | Set-Clipboard',
    privateHalf: 'Get-Content -Raw $HOME\\.ssh\\homeport | Set-Clipboard',
    note: 'A file that PuTTYgen saved (.ppk) is accepted as it is.',
  },
  {
    value: 'linux',
    label: 'Linux',
    where: 'Open a terminal',
    make: 'ssh-keygen -t ed25519 -f ~/.ssh/homeport -C homeport',
    publicHalf: 'cat ~/.ssh/homeport.pub',
    privateHalf: 'cat ~/.ssh/homeport',
  },
];

/** Explains how to make a keypair on the user's own computer, and offers to make one here. */
export function KeyHelpDialog({ onClose, onGenerate }: KeyHelpDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="How to make a key"
      description="A key of its own for Homeport, used for nothing else, is the safest."
      footer={
        <>
          {onGenerate && (
            <Button className={layout.atEnd} icon="key" onClick={onGenerate}>
              Generate one here
            </Button>
          )}
          <Button {...(onGenerate ? {} : { className: layout.atEnd })} variant="primary" onClick={onClose}>
            I have a key
          </Button>
        </>
      }
    >
      <Tabs
        label="Your computer"
        initial={ownSystem()}
        tabs={ways.map((way) => ({ value: way.value, label: way.label, content: <Instructions {...way} /> }))}
      />
    </Dialog>
  );
}

function Instructions({ where, make, publicHalf, privateHalf, note }: Way) {
  return (
    <ol className={styles.steps}>
      <li>
        <p>{where} and make the pair:</p>
        <CodeLine text={make} what="command" wrap />
      </li>
      <li>
        <p>Take the public half, for the field Public key and for the server:</p>
        <CodeLine text={publicHalf} what="command" wrap />
      </li>
      <li>
        <p>Take the private half, for the field Private key. It stays in this browser:</p>
        <CodeLine text={privateHalf} what="command" wrap />
      </li>
      {note && <li>{note}</li>}
    </ol>
  );
}

function ownSystem(): string {
  if (/Mac|iPhone|iPad/.test(navigator.platform)) return 'mac';
  return navigator.platform.startsWith('Win') ? 'windows' : 'linux';
}
