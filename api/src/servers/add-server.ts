import { messages } from '@homeport/contract/messages';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import type { RouteParsed } from '@homeport/contract/routes';
import { isUniqueViolation, type OwnerWrite } from '@homeport/store';
import { refuseAbove } from '../http/ceiling.ts';
import { ProblemError, wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { ServerRow } from '../records/server-record.ts';
import { type JudgedAddress, refuseUncompared } from './judge-address.ts';
import { randomName } from './random-name.ts';
import { claimSubdomain } from './subdomain/claim-subdomain.ts';

/**
 * Links a server: checks the input, then writes one row. Nothing runs on the machine yet; the page opens a
 * connection next. `judgeAddress` comes before; null: the console chose the address itself. Throws `limit_reached` if the person has `most` servers.
 */
export async function addServer(
  scope: OwnerWrite,
  input: RouteParsed<'POST /api/servers'>['body'],
  judged: JudgedAddress | null,
  most: number,
): Promise<ServerRow> {
  await refuseTakenAddress(scope, input, judged);
  await claimSubdomain(scope, input.subdomain);
  await refuseUnknownCredential(scope, input.credential);
  await refuseAbove(scope, 'servers', most);
  if (judged !== null) await refuseUncompared(scope, input.ip, judged);
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
    .executeTakeFirstOrThrow()
    .catch(refuseClaimed);
  await notifyChange(scope.db, scope.owner, 'servers', row.id);
  return row;
}

/**
 * An address is one machine, whatever the port, unless the user says otherwise: several machines may share the
 * address of a router. A loopback address says nothing, because each tunnel to a machine has a port there.
 */
async function refuseTakenAddress(
  { owner, db }: OwnerWrite,
  { ip, port, otherMachine }: Pick<RouteParsed<'POST /api/servers'>['body'], 'ip' | 'port' | 'otherMachine'>,
  judged: JudgedAddress | null,
): Promise<void> {
  const linkedHere = await db
    .selectFrom('servers')
    .select(['id', 'ip', 'name', 'port'])
    .where('owner_id', '=', owner)
    .execute();
  const taken = linkedHere.filter((each) => each.ip === ip || judged?.alsoLinkedAs.has(each.id));
  refuseSamePort(taken, { ip, port });
  const [linked] = taken;
  if (!linked || otherMachine || (judged?.isLoopback ?? isLoopbackAddress(ip))) return;
  throw new ProblemError('invalid_input', messages.ipExists, {
    fields: { ip: messages.ipExists },
    recovery: `This machine is already linked as ${linked.name}, on port ${linked.port}. If another machine answers behind the same address, say so in the form.`,
  });
}

/** Throws if one of these servers, which are the same machine, answers at the port. */
export function refuseSamePort(
  linked: readonly { ip: string; name: string; port: number }[],
  { ip, port }: { ip: string; port: number },
): void {
  const same = linked.filter((each) => each.port === port);
  if (same.some((each) => each.ip === ip)) throw wrongField('ip', messages.ipExists);
  const [other] = same;
  if (other) throw wrongField('ip', `${ip} is the machine that is linked as ${other.name}, by ${other.ip}.`);
}

const addressKey = 'servers_owner_id_ip_port_key';

/**
 * Throws the store's error, in the user's words where another server has the address and port, or the subdomain: somebody claimed it
 * between the check and the write.
 */
export function refuseClaimed(error: unknown): never {
  if (isUniqueViolation(error, addressKey)) throw wrongField('ip', messages.ipExists);
  if (isUniqueViolation(error)) throw wrongField('subdomain', messages.subdomainClaimed);
  throw error;
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
  if (!key) throw wrongField('credential', 'Choose one of your keys, or Password.');
}
