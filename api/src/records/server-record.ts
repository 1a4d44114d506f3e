import { fingerprintSchema } from '@homeport/contract/connections/schema';
import { credentialSchema, type Server } from '@homeport/contract/servers/schema';
import { pluginFiles } from '@homeport/dokku';
import type { Database, Owner, OwnerRead } from '@homeport/store';
import type { Kysely, Selectable } from 'kysely';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { countryOf } from '../location/country.ts';

export type ServerRow = Selectable<Database['servers']>;

/** A row as the contract shows it, without the owner and the agent’s token hash. */
export function toServer(row: ServerRow): Server {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    location: row.location,
    country: countryOf(row.ip),
    provider: row.provider,
    ip: row.ip,
    port: row.port,
    username: row.username,
    credential: credentialSchema.nullable().parse(row.credential),
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
    dokkuPlugin: { installed: row.dokku_plugin, offered: pluginFiles.version },
    globalDomains: row.global_domains && { found: row.global_domains, kept: row.global_domains_kept },
    git: { user: row.git_user, host: row.ip, port: row.port },
    simulated: row.simulated,
    commandsAllowed: row.commands_allowed,
    shellAllowed: row.shell_allowed,
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
  return db
    .selectFrom('servers')
    .selectAll()
    .where('owner_id', '=', owner)
    .orderBy('created_at')
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** Notes that a server no longer has Homeport’s own Dokku plugin: its pages then offer it again. */
export async function forgetPlugin(db: Kysely<Database>, owner: Owner, id: string): Promise<void> {
  await db
    .updateTable('servers')
    .set({ dokku_plugin: null })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .execute();
  await notifyChange(db, owner, 'servers', id);
}
