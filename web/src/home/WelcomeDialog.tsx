import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import { EmptySpot } from '../ui/ChartPaper.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** Opens once, while there is no key: nothing else works before there is one. */
export function WelcomeDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const first = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      className="welcome"
      title={<span className="sr">Add your first keypair</span>}
      initialFocus={first}
    >
      <EmptySpot />
      <p className="h2" aria-hidden="true">
        Add your first keypair
      </p>
      <p className="sm lead">
        Homeport reaches your servers over SSH, so it needs a keypair first. Use one you have, or make a new
        one: the next page shows how on Mac, Windows and Linux.
      </p>
      <Button
        ref={first}
        variant="primary"
        size="lg"
        icon="key"
        block
        onClick={() => {
          onClose();
          void navigate({ to: '/ssh-keys/new' });
        }}
      >
        Add a keypair
      </Button>
      <Button variant="ghost" block onClick={onClose}>
        Look around first
      </Button>
    </Dialog>
  );
}
