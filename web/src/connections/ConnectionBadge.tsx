import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import type { ReactNode } from 'react';
import { Badge, Quiet } from '../ui/feedback/Status.tsx';
import { Time } from '../ui/text/Time.tsx';
import { keyMissing } from './choose-credential.ts';
import { useConnectionState } from './connection-state.ts';

/** The connection, and when the server was last asked about the shown thing: "Connected, 14 s ago". null: it was never asked. */
export function ConnectionAge({ server, readAt }: { server: Server; readAt: number | null }) {
  const connected = useConnectionState(server)?.kind === 'connected';
  if (readAt === null)
    return (
      <>
        <ConnectionBadge server={server} />
        <span>Not read from the server yet</span>
      </>
    );
  return (
    <>
      <ConnectionBadge server={server}>
        , <Time at={readAt} />
      </ConnectionBadge>
      {!connected && (
        <span>
          Read <Time at={readAt} />
        </span>
      )}
    </>
  );
}

/**
 * Says whether this browser can act on the server now. Connected is quiet: only what is in the way has a box. The children follow the
 * word Connected.
 */
export function ConnectionBadge({ server, children }: { server: Server; children?: ReactNode }) {
  const state = useConnectionState(server);
  switch (state?.kind) {
    case 'connected':
      return (
        <Quiet lamp="on">
          <span>
            <span
              title={`As ${state.users.join(' and ')}. While connected, the console can act there as you.`}
            >
              Connected
            </span>
            {children}
          </span>
        </Quiet>
      );
    case 'reconnects':
      return (
        <Badge icon="link">
          <span title="The next action on this page connects by itself.">Connects with the next action</span>
        </Badge>
      );
    case 'needs-password':
      return (
        <Badge icon="lock">
          <span title="The next action asks for it, once.">Needs password</span>
        </Badge>
      );
    case 'key-missing':
      return (
        <Badge tone="warn" icon="key">
          <span title={keyMissing(state.keyName)}>This browser does not hold the key</span>
        </Badge>
      );
    case 'read-only':
      return (
        <Badge icon="eye">
          <span title={readOnlyTexts.connect}>Read-only</span>
        </Badge>
      );
    case 'simulated':
      return <Badge icon="info">Simulated</Badge>;
    case undefined:
      return null;
  }
}
