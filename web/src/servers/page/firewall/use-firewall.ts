import type { Firewall, Server } from '@homeport/contract/servers/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { useConnectionState } from '../../../connections/connection-state.ts';
import { type FirewallFailure, firewallFailure } from './firewall-failure.ts';

export interface FirewallView {
  answer: Firewall | undefined;
  failure: FirewallFailure | null;
  busy: boolean;
  /** The page is opening the connection. The command follows. */
  connecting: boolean;
  ask: () => void;
}

/**
 * Reads the firewall on request. If a connection is open, reads it once by itself, because then the user is
 * asked nothing.
 */
export function useFirewall(server: Server): FirewallView {
  const client = useQueryClient();
  const [connecting, setConnecting] = useState(false);
  // If a second reading fails, the first answer stays.
  const [answer, setAnswer] = useState<Firewall>();
  const { mutate, reset, error, isPending } = useMutation({
    mutationKey: ['firewall', server.id],
    mutationFn: ({ quiet }: { quiet: boolean }) =>
      callOnServer(
        client,
        'POST /api/servers/:id/firewall',
        { params: { id: server.id } },
        {
          quiet,
          onState: (state) => setConnecting(state.status !== 'ready' && state.status !== 'failed'),
        },
      ).finally(() => setConnecting(false)),
    onSuccess: setAnswer,
  });

  const asked = useRef(false);
  const connected = useConnectionState(server)?.kind === 'connected';
  useEffect(() => {
    if (!connected || asked.current) return;
    asked.current = true;
    // The user did not ask for this reading, so its failure is not shown. The button remains.
    mutate({ quiet: true }, { onError: reset });
  }, [connected, mutate, reset]);

  return {
    answer,
    failure: error ? firewallFailure(error) : null,
    busy: isPending,
    connecting,
    ask: () => {
      asked.current = true;
      mutate({ quiet: false });
    },
  };
}
