import type { Server } from '@homeport/contract/servers';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { forgetServer } from '../../connections/server-trust.ts';
import { toast } from '../../ui/toasts.ts';

/** A server that was shown here and is no longer listed was removed, here or elsewhere: nothing of it stays in this browser. */
export function useLeaveWhenGone(server: Server | undefined, listed: boolean): void {
  const navigate = useNavigate();
  const shown = useRef<Server>(undefined);
  useEffect(() => {
    if (server) {
      shown.current = server;
      return;
    }
    const gone = shown.current;
    if (!listed || !gone) return;
    shown.current = undefined;
    void forgetServer(gone.id).catch(() => {
      toast.warn(`This browser still remembers the host key of ${gone.name}`);
    });
    toast.ok(`${gone.name} removed`);
    void navigate({ to: '/servers', replace: true });
  }, [server, listed, navigate]);
}
