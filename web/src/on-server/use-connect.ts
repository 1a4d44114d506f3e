import type { Server } from '@homeport/contract/servers/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connectTo } from '../connections/connect.ts';
import { toast } from '../ui/feedback/toasts.ts';
import { appsUser } from './server-accounts.ts';

export interface Connect {
  busy: boolean;
  /**
   * Opens the connection and asks for whatever is needed. A toast reports a refusal by the server. The user's
   * own "no" needs no toast.
   */
  run: () => void;
}

/**
 * The button that connects this page to an app's server. By default it uses the account that actions on apps
 * use.
 */
export function useConnect(server: Server, onConnected: () => unknown, user = appsUser(server)): Connect {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const connect = async () => {
    setBusy(true);
    const end = await connectTo(client, server, user);
    if (end.status === 'ready') await onConnected();
    else if (end.code !== 'declined') toast.bad(end.message);
    setBusy(false);
  };
  return { busy, run: () => void connect() };
}
