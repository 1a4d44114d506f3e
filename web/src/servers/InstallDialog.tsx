import type { Server } from '@homeport/contract/servers/schema';
import type { OpeningState } from '../connections/opening-state.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import layout from '../ui/layout/layout.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import iconStyles from '../ui/picture/icon.module.css';
import typography from '../ui/text/typography.module.css';

export type InstallPhase =
  | { kind: 'connecting'; server: Server; step: Extract<OpeningState, { status: 'connecting' }>['step'] }
  | { kind: 'failed'; server: Server; message: string };

interface InstallDialogProps {
  phase: InstallPhase;
  onRetry: (server: Server) => void;
  onClose: () => void;
}

/** The attempt to connect before an installation, and the reason of its failure. */
export function InstallDialog({ phase, onRetry, onClose }: InstallDialogProps) {
  return phase.kind === 'connecting' ? (
    <Connecting {...phase} onCancel={onClose} />
  ) : (
    <NotConnected {...phase} onRetry={() => onRetry(phase.server)} onClose={onClose} />
  );
}

const stepWords = {
  probe: 'Asking for its host key. Nothing is run on it yet.',
  login: 'Its host key is the right one. Signing in.',
  other_tab: 'Another tab is opening the connection.',
} as const;

function Connecting({
  server,
  step,
  onCancel,
}: Extract<InstallPhase, { kind: 'connecting' }> & { onCancel: () => void }) {
  return (
    <Dialog
      open
      size="slim"
      title={`Connecting to ${server.name}`}
      description={`${server.username}@${server.ip}, port ${server.port}`}
      onClose={onCancel}
      footer={
        <Button className={layout.atEnd} onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <p className={classNames(layout.row, layout.gap3, typography.small)} role="status">
        <Icon name="refresh" size={16} className={iconStyles.spinning} />
        {stepWords[step]}
      </p>
    </Dialog>
  );
}

function NotConnected({
  server,
  message,
  onRetry,
  onClose,
}: Extract<InstallPhase, { kind: 'failed' }> & { onRetry: () => void; onClose: () => void }) {
  return (
    <Dialog
      open
      alert
      size="slim"
      title={`${server.name} is linked, but not installed`}
      description="Nothing was run on it."
      onClose={onClose}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Close
          </Button>
          <Button variant="primary" icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </>
      }
    >
      <p className={typography.small} role="alert">
        {message}
      </p>
    </Dialog>
  );
}
