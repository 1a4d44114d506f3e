import { realTypes } from '../src/services/engines/engine-of.ts';

/**
 * Whether this machine lacks a server of PostgreSQL or Redis, or an account that may run it. `npm test` installs them as root, so that a
 * test is skipped only for an ordinary user, and never in CI.
 */
export const lacksRealDatabases =
  process.getuid?.() !== 0 && process.env.CI !== 'true' && realTypes().length < 2;
