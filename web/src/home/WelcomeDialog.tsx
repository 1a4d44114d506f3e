import { useNavigate } from '@tanstack/react-router';
import { useId, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '../ui/Button.tsx';
import { EmptySpot } from '../ui/ChartPaper.tsx';

/**
 * Opens once, while there is no key: nothing else works before there is one. The browser's own dialog: this one is part
 * of the first visit, which then need not wait for the library's. Focus, Escape and what lies behind are the browser's.
 */
export function WelcomeDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const layer = useRef<HTMLDialogElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const title = useId();
  // Before the first paint, which then has it.
  useLayoutEffect(() => {
    layer.current?.showModal();
    first.current?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a pointer shortcut; Escape and the buttons take the keys
    <dialog
      ref={layer}
      className="scrim welcome-layer"
      aria-labelledby={title}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className="dialog slim welcome">
        <div className="dialog-h">
          <IconButton label="Close" icon="x" onClick={() => layer.current?.close()} />
        </div>
        <div className="dialog-b">
          <EmptySpot />
          <h2 className="h2" id={title}>
            Add your first keypair
          </h2>
          <p className="sm lead">
            Homeport reaches your servers over SSH, so it needs a keypair first. Use one you have, or make a
            new one: the next page shows how on Mac, Windows and Linux.
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
          <Button variant="ghost" block onClick={() => layer.current?.close()}>
            Look around first
          </Button>
        </div>
      </div>
    </dialog>
  );
}
