import { openStore } from '@homeport/store';
import { startChecks } from '../src/uptime/start-checks.ts';

// A process that checks, for a test to kill in the middle of it.
const store = await openStore({ url: process.env.DATABASE_URL ?? '' });
startChecks(
  { allowedNetworks: ['127.0.0.0/8'], anchors: [] },
  { pool: store.pool, log: { error: () => process.exit(1) }, clock: Date.now },
);
// Its own timers do not keep a process alive.
process.stdin.resume();
