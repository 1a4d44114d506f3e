import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { Badge, Quiet } from '../ui/feedback/Status.tsx';
import { keyMissing } from './choose-credential.ts';
import { useConnectionState } from './connection-state.ts';

/** Says whether this browser can act on the server now. Connected is quiet: only what is in the way has a box. */
export function ConnectionBadge({ server }: { server: Server }) {
  const state = useConnectionState(server);
  switch (state?.kind) {
    case 'connected':
      return (
        <Quiet lamp="on">
          <span title={`As ${state.users.join(' and ')}. While connected, the console can act there as you.`}>
            Connected
          </span>
        </Quiet>
      );
    case 'reconnects':
      return (
        <Badge icon="link">
          <span title="The next action on this page connects by itself.">Open this page to reconnect</span>
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
