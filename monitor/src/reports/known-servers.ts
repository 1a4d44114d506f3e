import { findByToken, type KnownServer } from '@homeport/store';
import type pg from 'pg';
import { type ServerState, serverStateSchema } from './derive.ts';

/** A server with the state that its next report is measured against. */
export type ReportingServer = Omit<KnownServer, 'state'> & { state: ServerState | null };

export type KnownServers = {
  has(tokenHash: string): boolean;
  get(tokenHash: string): ReportingServer | undefined;
  forget(tokenHash: string): void;
  /** Reads the servers that are not in memory from the store. */
  load(tokenHashes: readonly string[]): Promise<void>;
};

const serversInMemory = 50_000;

/** The servers that reported lately, by the hash of their token. */
export function createKnownServers(pool: pg.Pool): KnownServers {
  const servers = new Map<string, ReportingServer>();
  return {
    has: (tokenHash) => servers.has(tokenHash),
    get: (tokenHash) => servers.get(tokenHash),
    forget(tokenHash) {
      servers.delete(tokenHash);
    },
    async load(tokenHashes) {
      const missing = [...new Set(tokenHashes.filter((hash) => !servers.has(hash)))];
      if (missing.length === 0) return;
      for (const [hash, known] of await findByToken(pool, missing)) {
        if (servers.size >= serversInMemory) servers.delete(servers.keys().next().value ?? '');
        const state = known.state === null ? null : serverStateSchema.parse(JSON.parse(known.state));
        servers.set(hash, { ...known, state });
      }
    },
  };
}
