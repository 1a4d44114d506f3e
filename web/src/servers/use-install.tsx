import type { Server } from '@homeport/contract/servers/schema';
import type { Bytes } from '@homeport/signer/bytes';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react';
import { connectTo } from '../connections/connect.ts';
import type { OpeningState } from '../connections/opening-state.ts';
import { questionStore } from '../connections/questions.ts';
import { call } from '../data/call.ts';
import { problemText } from '../data/problem-text.ts';
import { topicKey } from '../data/query-keys.ts';
import { openOperation } from '../operations/open-operation.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import layout from '../ui/layout/layout.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import iconStyles from '../ui/picture/icon.module.css';
import typography from '../ui/text/typography.module.css';

type Phase =
  | { kind: 'rest' }
  | { kind: 'connecting'; server: Server; step: Extract<OpeningState, { status: 'connecting' }>['step'] }
  | { kind: 'failed'; server: Server; message: string };

/**
 * Connects to a server first, so that the user has accepted its host key before anything runs. Then starts
 * the installation, and the operation's window takes over. Render `dialog`: it shows the connection attempt
 * and the reason of a failure.
 */
export function useInstall(): { start: (server: Server, password?: Bytes) => void; dialog: ReactNode } {
  const client = useQueryClient();
  const [phase, setPhase] = useState<Phase>({ kind: 'rest' });
  const asking = useSyncExternalStore(questionStore.subscribe, () => questionStore.first() !== null);
  const opening = useRef<AbortController | null>(null);

  const run = async (server: Server, password?: Bytes) => {
    const abort = new AbortController();
    opening.current = abort;
    setPhase({ kind: 'connecting', server, step: 'probe' });
    const end = await connectTo(client, server, server.username, {
      ...(password ? { password } : {}),
      signal: abort.signal,
      onState: (state) => {
        if (state.status === 'connecting') setPhase({ kind: 'connecting', server, step: state.step });
      },
    });
    if (abort.signal.aborted) return setPhase({ kind: 'rest' });
    if (end.status === 'failed') return setPhase({ kind: 'failed', server, message: end.message });
    try {
      const operation = await call('POST /api/servers/:id/install', { params: { id: server.id } });
      openOperation(operation.id);
      setPhase({ kind: 'rest' });
      await client.invalidateQueries({ queryKey: topicKey('operations') });
    } catch (error) {
      setPhase({ kind: 'failed', server, message: problemText(error) });
    }
  };
  const start = (server: Server, password?: Bytes) => void run(server, password);
  const close = () => {
    opening.current?.abort();
    setPhase({ kind: 'rest' });
  };

  const dialog =
    phase.kind === 'connecting' && !asking ? (
      <Connecting {...phase} onCancel={close} />
    ) : phase.kind === 'failed' ? (
      <NotConnected {...phase} onRetry={() => start(phase.server)} onClose={close} />
    ) : null;
  return { start, dialog };
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
}: Extract<Phase, { kind: 'connecting' }> & { onCancel: () => void }) {
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
}: Extract<Phase, { kind: 'failed' }> & { onRetry: () => void; onClose: () => void }) {
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
