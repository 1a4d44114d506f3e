import { createSecureContext } from 'node:tls';
import { uptimeRules } from '@homeport/contract/uptime/facts';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { createGate } from './allowed-addresses.ts';
import { attempt } from './attempt.ts';
import { type CheckLoop, startCheckLoop } from './check-loop.ts';
import { createChecker } from './checker.ts';
import { createNetwork } from './own-network.ts';
import type { Reach } from './request-once.ts';
import { createResolver } from './resolver.ts';

export type CheckSettings = {
  /** Networks that may be checked although they are not public. */
  allowedNetworks: readonly string[];
  /** Addresses by which the console tells that its own network is there; none: it always counts as there. */
  anchors: readonly string[];
};

const inFlightAtMost = 500;
const everywhere = ['0.0.0.0/0', '::/0'];

/** Starts to check the apps of everybody, together with whichever other processes do. */
export function startChecks(
  { allowedNetworks, anchors }: CheckSettings,
  { pool, log, clock }: { pool: pg.Pool; log: Pick<FastifyBaseLogger, 'error'>; clock: () => number },
): CheckLoop {
  const reach: Reach = {
    gate: createGate(allowedNetworks),
    resolver: createResolver(clock),
    trusted: createSecureContext(),
    deadlineMs: uptimeRules.deadlineMs,
  };
  // The operator names them: they may be anywhere.
  const anchorReach = { ...reach, gate: createGate(everywhere) };
  const network = createNetwork(anchors, (url) => attempt(url, anchorReach, clock()), clock);
  const deps = { pool, reach, network, log, clock, inFlightAtMost };
  return startCheckLoop(createChecker(deps), deps);
}
