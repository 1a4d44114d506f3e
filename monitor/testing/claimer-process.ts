import { openStore } from '@homeport/store';
import { startChecks } from '../src/uptime/start-checks.ts';

// A process that makes checks. A test kills it in the middle of a check.
const store = await openStore({ url: process.env.DATABASE_URL ?? '' });
startChecks(
  { allowedNetworks: ['127.0.0.0/8'], consolePorts: [], anchors: [] },
  { pool: store.pool, log: { error: () => process.exit(1) }, clock: Date.now },
);
// The timers of the checks do not keep the process alive.
process.stdin.resume();
