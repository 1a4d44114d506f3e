import { messages } from '@homeport/contract/messages';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import type { RouteParsed } from '@homeport/contract/routes';
import { isUniqueViolation, type OwnerWrite } from '@homeport/store';
import { refuseAbove } from '../http/ceiling.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { ServerRow } from '../records/server-record.ts';
import { sayTargetRefusal, type TargetPolicy } from '../remote/target-policy.ts';
import { randomName } from './random-name.ts';

/**
 * Links a server: checks the input, then writes one row. Nothing runs on the machine yet; the page opens a
 * connection next. Throws `limit_reached` if the person has `most` servers.
 */
export async function addServer(
  scope: OwnerWrite,
  input: RouteParsed<'POST /api/servers'>['body'],
  targets: TargetPolicy,
  most: number,
): Promise<ServerRow> {
  refuseTarget(targets, input);
  await refuseTakenAddress(scope, input);
  await refuseTakenSubdomain(scope, input.subdomain);
  await refuseUnknownCredential(scope, input.credential);
  await refuseAbove(scope, 'servers', most);
  try {
    const row = await scope.db
      .insertInto('servers')
      .values({
        owner_id: scope.owner,
        key: randomName(12),
        name: input.name,
        ip: input.ip,
        port: input.port,
        username: input.username,
        credential: input.credential,
        subdomain: input.subdomain,
        metal: !input.installDokku,
        monitor_id: randomName(24),
        created_at: Date.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await notifyChange(scope.db, scope.owner, 'servers', row.id);
    return row;
  } catch (error) {
    // Somebody claimed the same address or name between the check and the insert.
    if (isUniqueViolation(error, addressKey)) throw field('ip', messages.ipExists);
    if (isUniqueViolation(error)) throw field('subdomain', messages.subdomainClaimed);
    throw error;
  }
}

/** Throws if the console connects to no server there. */
export function refuseTarget(targets: TargetPolicy, { ip, port }: { ip: string; port: number }): void {
  const refusal = targets.refuses(ip, port);
  if (refusal !== null) throw field('ip', sayTargetRefusal(refusal));
}

/**
 * An address is one machine, whatever the port, unless the user says otherwise: several machines may share the
 * address of a router. A loopback address says nothing, because each tunnel to a machine has a port there.
 */
async function refuseTakenAddress(
  { owner, db }: OwnerWrite,
  { ip, port, otherMachine }: Pick<RouteParsed<'POST /api/servers'>['body'], 'ip' | 'port' | 'otherMachine'>,
): Promise<void> {
  const taken = await db
    .selectFrom('servers')
    .select(['name', 'port'])
    .where('owner_id', '=', owner)
    .where('ip', '=', ip)
    .execute();
  const same = taken.find((each) => each.port === port);
  if (same) throw field('ip', messages.ipExists);
  const [linked] = taken;
  if (!linked || otherMachine || isLoopbackAddress(ip)) return;
  throw new ProblemError('invalid_input', messages.ipExists, {
    fields: { ip: messages.ipExists },
    recovery: `This machine is already linked as ${linked.name}, on port ${linked.port}. If another machine answers behind the same address, say so in the form.`,
  });
}

const addressKey = 'servers_owner_id_ip_port_key';

/** Throws the store's error, in the user's words where another of the user's servers has this address and port. */
export function refuseTakenPort(error: unknown): never {
  throw isUniqueViolation(error, addressKey) ? field('ip', messages.ipExists) : error;
}

async function refuseTakenSubdomain({ owner, db }: OwnerWrite, subdomain: string): Promise<void> {
  // A claimed name is unique across all users, so this one query looks beyond the owner’s rows.
  const taken = await db
    .selectFrom('servers')
    .select('owner_id')
    .where('subdomain', '=', subdomain)
    .executeTakeFirst();
  if (taken)
    throw field(
      'subdomain',
      taken.owner_id === owner ? messages.subdomainOfOther : messages.subdomainClaimed,
    );
}

/** Throws unless the credential is `password`, one of the owner’s stored keys, or null. */
export async function refuseUnknownCredential(
  { owner, db }: OwnerWrite,
  credential: string | null,
): Promise<void> {
  if (credential === null || credential === 'password') return;
  const key = await db
    .selectFrom('keys')
    .select('id')
    .where('owner_id', '=', owner)
    .where('id', '=', credential)
    .executeTakeFirst();
  if (!key) throw field('credential', 'Choose one of your keys, or Password.');
}

const field = (name: string, message: string) =>
  new ProblemError('invalid_input', message, { fields: { [name]: message } });
