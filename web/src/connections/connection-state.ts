import type { LiveConnection } from '@homeport/contract/connections/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { useApi } from '../data/use-api.ts';
import { useHeldKeys } from '../keys/keystore/use-held-keys.ts';

/** The state of this browser's access to a server. */
export type ServerConnectionState =
  | { kind: 'connected'; users: string[]; until: number }
  /** The next action connects by itself. A locked key first asks for its passphrase. */
  | { kind: 'reconnects' }
  | { kind: 'needs-password' }
  | { kind: 'key-missing'; keyName: string }
  /** The console holds no credential for the server. */
  | { kind: 'read-only' }
  /** Generated for the demo. No machine exists. */
  | { kind: 'simulated' };

export function readConnectionState(
  server: Pick<Server, 'id' | 'credential' | 'simulated'>,
  live: readonly LiveConnection[],
  heldIds: readonly string[],
  keyName: string,
): ServerConnectionState {
  if (server.simulated) return { kind: 'simulated' };
  if (server.credential === null) return { kind: 'read-only' };
  const open = live.filter((connection) => connection.serverId === server.id);
  if (open.length > 0) {
    return {
      kind: 'connected',
      users: open.map((connection) => connection.user),
      until: Math.max(...open.map((connection) => connection.expiresAt)),
    };
  }
  if (server.credential === 'password') return { kind: 'needs-password' };
  return heldIds.includes(server.credential) ? { kind: 'reconnects' } : { kind: 'key-missing', keyName };
}

/** undefined until the state is known, and without a server. */
export function useConnectionState(server: Server | null): ServerConnectionState | undefined {
  const live = useApi('GET /api/connections').data;
  const keys = useApi('GET /api/keys').data;
  const held = useHeldKeys().data?.held;
  if (!server || !live || !held || !keys) return undefined;
  const name = keys.find((key) => key.id === server.credential)?.name ?? server.credential ?? '';
  return readConnectionState(server, live, [...held.keys()], name);
}
