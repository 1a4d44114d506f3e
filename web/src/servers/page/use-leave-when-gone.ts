import type { Server } from '@homeport/contract/servers/schema';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { call } from '../../data/call.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { forgetIfRemovedHere } from './settings/own-removals.ts';

/**
 * A server that was shown under this key and is no longer listed was removed, here or elsewhere. The page
 * then leads to the list. True while the page leaves.
 */
export function useLeaveWhenGone(key: string, server: Server | undefined, listed: boolean): boolean {
  const navigate = useNavigate();
  const shown = useRef<Server>(undefined);
  const gone = listed && !server && shown.current?.key === key;
  useEffect(() => {
    if (server) shown.current = server;
    const removed = shown.current;
    if (!gone || !removed) return;
    forgetIfRemovedHere(removed.id, (id) => call('GET /api/operations/:id', { params: { id } })).catch(() =>
      toast.warn(`This browser still remembers the host key of ${removed.name}`, { page: '/servers' }),
    );
    toast.ok(`${removed.name} removed`, { page: '/servers' });
    void navigate({ to: '/servers', replace: true });
  }, [server, gone, navigate]);
  return gone;
}
