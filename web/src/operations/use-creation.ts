import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { connectTo } from '../connections/connect.ts';
import { isProblem } from '../data/api-problem.ts';
import { call } from '../data/call.ts';
import { topicKey } from '../data/query-keys.ts';
import { missingUsers } from '../on-server/server-accounts.ts';
import { consoleTime } from '../ui/text/console-time.ts';
import { openOperation } from './open-operation.ts';
import { findUnanswered, type SentCreation } from './unanswered-creation.ts';

export type CreationPhase = 'rest' | 'connecting' | 'creating';

export interface CreationRequest extends Omit<SentCreation, 'since' | 'serverId'> {
  server: Server;
  /** The accounts on the server that the creation works as. */
  users: readonly string[];
  send: () => Promise<Operation>;
}

/**
 * Connects to the server, sends the creation and opens its window. The page sends one creation at a time. If
 * an answer was lost, the page first looks for that creation before it sends another.
 */
export function useCreation() {
  const client = useQueryClient();
  const [phase, setPhase] = useState<CreationPhase>('rest');
  const [error, setError] = useState<Error | null>(null);
  const busy = useRef(false);
  const unanswered = useRef<SentCreation | null>(null);

  const follow = (operation: Operation) => {
    unanswered.current = null;
    openOperation(operation.id);
    void client.invalidateQueries({ queryKey: topicKey('operations') });
  };

  const send = async ({ server, users, kind, name, ...request }: CreationRequest) => {
    const lost = unanswered.current;
    const found = lost && findUnanswered(await operationsOf(lost.serverId), lost);
    if (found) return follow(found);
    unanswered.current = null;
    setPhase('connecting');
    for (const user of missingUsers(server.id, users, await call('GET /api/connections'))) {
      const end = await connectTo(client, server, user);
      if (end.status === 'ready') continue;
      if (end.code !== 'declined') setError(new Error(end.message));
      return;
    }
    setPhase('creating');
    const since = consoleTime();
    try {
      follow(await request.send());
    } catch (failure) {
      // Only a refusal proves that the console began nothing.
      if (isProblem(failure, 'unavailable')) unanswered.current = { kind, since, serverId: server.id, name };
      throw failure;
    }
  };

  const create = async (request: CreationRequest) => {
    if (busy.current) return;
    busy.current = true;
    setError(null);
    setPhase('creating');
    try {
      await send(request);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error('The creation could not be sent.'));
    } finally {
      busy.current = false;
      setPhase('rest');
    }
  };
  return { create, phase, error };
}

const operationsOf = (serverId: string) => call('GET /api/operations', { query: { serverId } });
