import { fingerprintSchema } from '@homeport/contract/connections/schema';
import { credentialSchema, type Server } from '@homeport/contract/servers/schema';
import type { Database, OwnerRead } from '@homeport/store';
import type { Selectable } from 'kysely';
import { notFound } from '../http/problem.ts';

export type ServerRow = Selectable<Database['servers']>;

/** A row as the contract shows it, without the owner and the agent’s token hash. */
export function toServer(row: ServerRow): Server {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    ip: row.ip,
    port: row.port,
    username: row.username,
    credential: credentialSchema.parse(row.credential),
    subdomain: row.subdomain,
    metal: row.metal,
    monitorId: row.monitor_id,
    hostKeyFingerprint: fingerprintSchema.nullable().parse(row.host_key_fingerprint),
    hostKeyAlgorithm: row.host_key_algorithm,
    setup: row.setup,
    agentInstalled: row.agent_installed,
    login: row.login,
    consoleAccount: row.console_account,
    accountKey: fingerprintSchema.nullable().parse(row.account_key),
    dokkuVersion: row.dokku_version,
    git: { user: row.git_user, host: row.ip, port: row.port },
    simulated: row.simulated,
    sandbox: row.sandbox,
    createdAt: row.created_at,
    version: row.version,
  };
}

/**
 * The row of an owner’s server. Throws `not_found` for a server that does not exist or is somebody else’s.
 */
export async function findServer({ owner, db }: OwnerRead, id: string): Promise<ServerRow> {
  const row = await db
    .selectFrom('servers')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('server');
  return row;
}

export function listServers({ owner, db }: OwnerRead): Promise<ServerRow[]> {
  return db.selectFrom('servers').selectAll().where('owner_id', '=', owner).orderBy('created_at').execute();
}
