import { createSecureContext } from 'node:tls';
import { uptimeRules } from '@homeport/contract/uptime/facts';
import { everyNetwork } from '@homeport/egress';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { attempt } from './attempt.ts';
import { type CheckRules, createCheckGate } from './check-gate.ts';
import { type CheckLoop, startCheckLoop } from './check-loop.ts';
import { createChecker } from './checker.ts';
import { createNetwork, type Network } from './own-network.ts';
import type { Reach } from './request-once.ts';
import { createResolver } from './resolver.ts';

export type CheckSettings = CheckRules & {
  /** Addresses whose answers prove that the console's own network works. Without any, the network always counts as up. */
  anchors: readonly string[];
};

type CheckParts = {
  pool: pg.Pool;
  log: Pick<FastifyBaseLogger, 'error'>;
  clock: () => number;
  network?: Network;
};

const inFlightAtMost = 500;

function reachOf(rules: CheckRules, clock: () => number): Reach {
  return {
    gate: createCheckGate(rules, createResolver(clock)),
    trusted: createSecureContext(),
    deadlineMs: uptimeRules.deadlineMs,
  };
}

/** Tells whether the console's own network is there. The operator names the anchors, so they may be at any address. */
export function openNetwork({ anchors }: Pick<CheckSettings, 'anchors'>, clock: () => number): Network {
  const reach = reachOf({ allowedNetworks: everyNetwork, consolePorts: [] }, clock);
  return createNetwork(anchors, (url) => attempt(url, reach, clock()), clock);
}

/** Starts to check everybody's apps, together with the other processes that do. */
export function startChecks(
  settings: CheckSettings,
  { pool, log, clock, network = openNetwork(settings, clock) }: CheckParts,
): CheckLoop {
  const reach = reachOf(settings, clock);
  const deps = { pool, reach, network, log, clock, inFlightAtMost };
  return startCheckLoop(createChecker(deps), deps);
}
