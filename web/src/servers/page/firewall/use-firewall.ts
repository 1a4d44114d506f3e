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
  /** The connection is being opened; the command comes after. */
  connecting: boolean;
  ask: () => void;
}

/** Asks when told to, and once by itself where a connection is there already: then nobody is asked for anything. */
export function useFirewall(server: Server): FirewallView {
  const client = useQueryClient();
  const [connecting, setConnecting] = useState(false);
  // A second reading that fails leaves what the first one said.
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
    // A failure of what nobody asked for is not shown: the button is still there.
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
