import type { Server } from '@homeport/contract/servers/schema';
import type { LogLink } from '../../logs/follow-log.ts';
import type { Connect } from '../../on-server/use-connect.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';

export interface ConnectBannerProps {
  server: Server;
  links: readonly LogLink[];
  connect: Connect;
}

/** Says why the page could not connect by itself, and offers a button that asks for what is needed. */
export function ConnectBanner({ server, links, connect }: ConnectBannerProps) {
  const unconnected = links.find((link) => link.kind === 'unconnected');
  if (!unconnected) return null;
  return (
    <Banner
      action={
        <Button size="sm" icon="link" busy={connect.busy} busyLabel="Connecting" onClick={connect.run}>
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
