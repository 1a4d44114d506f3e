import { addressKindOf } from '@homeport/contract/fields/server-address';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { countOwned, type Owner, type OwnerRead, type OwnerWrite, type Store } from '@homeport/store';
import { ProblemError, wrongField } from '../http/problem.ts';
import { type ServerAddresses, sayNoAddress, sayNotLookedUp } from '../remote/server-addresses.ts';
import { sayTargetRefusal, type TargetPolicy } from '../remote/target-policy.ts';

export type JudgeDeps = {
  store: Pick<Store, 'read'>;
  targets: Pick<TargetPolicy, 'refuses'>;
  addresses: ServerAddresses;
};

/** What is known of an address before the transaction that keeps it, so that no transaction waits for DNS. */
export type JudgedAddress = {
  /** The person's servers that the same machine answers as, under another spelling: by their ids. */
  alsoLinkedAs: ReadonlySet<string>;
  /** The servers that were compared: each id with its address then. */
  compared: ReadonlyMap<string, string>;
  isLoopback: boolean;
};

/** Throws if the console connects to no server there: for a name, to any of its addresses. Each opening judges them again. */
export async function judgeAddress(
  { store, targets, addresses }: JudgeDeps,
  owner: Owner,
  place: { ip: string; port: number },
  { except, signal }: { except?: string; signal: AbortSignal },
): Promise<JudgedAddress> {
  const isName = addressKindOf(place.ip) === 'name';
  const refusal = isName ? null : targets.refuses(place.ip, place.port);
  if (refusal !== null) throw wrongField('ip', sayTargetRefusal(refusal));
  const others = await store.read(owner, (scope) => comparable(scope, isName, except));
  const looked = await addresses.of(owner, place, signal);
  if (looked.kind === 'none') throw wrongField('ip', sayNoAddress(place.ip));
  if (looked.kind === 'unknown') throw wrongField('ip', sayNotLookedUp(place.ip));
  const theirs = await addresses.ofEach(owner, others, signal);
  const isSame = (at: number) => {
    const there = theirs[at];
    return there?.kind === 'found' && there.addresses.some((each) => looked.addresses.includes(each));
  };
  return {
    alsoLinkedAs: new Set(others.flatMap(({ id, ip }, at) => (ip !== place.ip && isSame(at) ? [id] : []))),
    compared: new Map(others.map(({ id, ip }) => [id, ip])),
    isLoopback: looked.addresses.every(isLoopbackAddress),
  };
}

/**
 * Throws `busy` where the person linked or moved a server since the address was judged: the two may be one machine. Call this in the
 * transaction that keeps the address. Others that keep one wait here for its end.
 */
export async function refuseUncompared(
  scope: Pick<OwnerWrite, 'owner' | 'db'>,
  ip: string,
  { compared }: Pick<JudgedAddress, 'compared'>,
  own: { except?: string } = {},
): Promise<void> {
  await countOwned(scope, 'servers');
  const now = await comparable(scope, addressKindOf(ip) === 'name', own.except);
  if (now.every(({ id, ip: at }) => compared.get(id) === at)) return;
  throw new ProblemError(
    'busy',
    'Another server was linked or moved at the same moment. Nothing was saved.',
    {
      recovery: 'Send it again.',
    },
  );
}

/** A name is compared with every server, an address with those that have a name. The store itself compares equal texts. */
async function comparable({ owner, db }: OwnerRead, isName: boolean, except: string | undefined) {
  const servers = await db
    .selectFrom('servers')
    .select(['id', 'ip', 'port'])
    .where('owner_id', '=', owner)
    .execute();
  return servers.filter(({ id, ip }) => id !== except && (isName || addressKindOf(ip) === 'name'));
}
