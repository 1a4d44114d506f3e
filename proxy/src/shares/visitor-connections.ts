import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress, networks } from '@homeport/contract/network/addresses';
import { visitorNetwork } from '@homeport/contract/network/visitor-network';
import { asNetwork, type TrustedPeers } from '../armour/trusted-peers.ts';
import type { PlaneLimits } from '../limits.ts';
import { tooManyConnections } from './refusals.ts';

const idleEveryMs = 200;

/** Bounds the connections of visitors, together and by address: before its first request nobody knows the site of a connection. */
export function boundConnections(
  server: Server,
  trusted: TrustedPeers,
  { connections, connectionsPerVisitor }: PlaneLimits,
): void {
  server.maxConnections = Math.ceil(connections * 1.1);
  const byVisitor = new Map<string, number>();
  const keyOf = visitorOf(trusted);
  let open = 0;
  let closedAt = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    const key = keyOf(socket);
    const ofVisitor = key === null ? 0 : (byVisitor.get(key) ?? 0) + 1;
    if (key !== null) byVisitor.set(key, ofVisitor);
    socket.once('close', () => {
      open -= 1;
      if (key === null) return;
      const left = (byVisitor.get(key) ?? 1) - 1;
      if (left === 0) byVisitor.delete(key);
      else byVisitor.set(key, left);
    });
    if (ofVisitor > connectionsPerVisitor) {
      socket.end(tooManyConnections, () => socket.destroy());
      return;
    }
    const now = performance.now();
    if (open <= connections || now - closedAt < idleEveryMs) return;
    // Visitors keep connections open for their next request. Those give way. Looking at all connections for each new one would cost
    // more than their requests.
    closedAt = now;
    server.closeIdleConnections();
  });
}

/** Null for a front: its connections are those of all its visitors. Where fronts show a secret, any address may be one. */
function visitorOf({ networks: trusted, secretHash }: TrustedPeers): (socket: Socket) => string | null {
  if (secretHash !== null) return () => null;
  const fronts = networks(trusted.map(asNetwork));
  return ({ remoteAddress }) => {
    if (remoteAddress === undefined) return null;
    const address = canonicalAddress(remoteAddress) ?? remoteAddress;
    return fronts.contain(address) ? null : visitorNetwork(address);
  };
}
