import type { Server } from '@homeport/contract/servers/schema';
import type { Bytes } from '@homeport/signer/bytes';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState, useSyncExternalStore } from 'react';
import { connectTo } from '../connections/connect.ts';
import { questionStore } from '../connections/questions.ts';
import { call } from '../data/call.ts';
import { problemText } from '../data/problem-text.ts';
import { topicKey } from '../data/query-keys.ts';
import { openOperation } from '../operations/open-operation.ts';
import { onDemand } from '../ui/on-demand.tsx';
import type { InstallPhase } from './InstallDialog.tsx';

const InstallDialog = onDemand(async () => (await import('./InstallDialog.tsx')).InstallDialog);

type Phase = { kind: 'rest' } | InstallPhase;

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

  const dialog = phase.kind !== 'rest' && !(phase.kind === 'connecting' && asking) && (
    <InstallDialog phase={phase} onRetry={start} onClose={close} />
  );
  return { start, dialog };
}
