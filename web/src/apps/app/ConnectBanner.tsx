import type { Server } from '@homeport/contract/servers';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connectTo } from '../../connections/connect.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/toasts.ts';
import { appsUser } from '../app-accounts.ts';
import type { LogLink } from '../app-log/follow-log.ts';

export interface ConnectBannerProps {
  server: Server;
  links: readonly LogLink[];
  onConnected: () => void;
}

/** Where the page could not connect by itself: why, and the button that asks what there is to ask. */
export function ConnectBanner({ server, links, onConnected }: ConnectBannerProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const unconnected = links.find((link) => link.kind === 'unconnected');
  if (!unconnected) return null;
  const connect = async () => {
    setBusy(true);
    const end = await connectTo(client, server, appsUser(server));
    setBusy(false);
    if (end.status === 'ready') onConnected();
    else if (end.code !== 'declined') toast.bad(end.message);
  };
  return (
    <Banner
      action={
        <Button size="sm" icon="link" busy={busy} busyLabel="Connecting" onClick={connect}>
          Connect
        </Button>
      }
    >
      <p>
        {unconnected.declined
          ? `Connect to ${server.name} to see the logs and what is deployed.`
          : unconnected.message}
      </p>
    </Banner>
  );
}
