import type { CloudflareAccount } from '@homeport/contract/domains/schema';
import { messages } from '@homeport/contract/messages';
import type { Database, Owner, OwnerRead, Store } from '@homeport/store';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Asker } from '../cloudflare/calls.ts';
import type { Cloudflare } from '../cloudflare/client.ts';
import { CloudflareFailure, toProblem } from '../cloudflare/refusal.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { ServerAddresses } from '../remote/server-addresses.ts';
import { SealBroken, type Sealer } from '../sealing/sealer.ts';

export type DomainDeps = {
  store: Store;
  sealer: Sealer;
  cloudflare: Cloudflare;
  clock: () => number;
  /** The shared suffix under which servers claim a subdomain; null: none. */
  appDomain: string | null;
  /** The name that the CNAMEs of proxied domains lead to; null: the operator named none. */
  proxyHost: string | null;
  addresses: ServerAddresses;
};

export const purpose = 'cloudflare';
export type AccountRow = Selectable<Database['linked_accounts']>;

export const kindSchema = z.enum(['token', 'account_token', 'global_key']);
/** What `facts` holds of an account at Cloudflare. */
export const factsSchema = z.object({
  ability: z.string(),
  expiresAt: z.number().nullable(),
  /** Cloudflare has more zones than are kept. */
  moreZones: z.boolean(),
});

export function findAccount({ owner, db }: OwnerRead): Promise<AccountRow | undefined> {
  return db
    .selectFrom('linked_accounts')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('service', '=', purpose)
    .executeTakeFirst();
}

export function toAccount(row: AccountRow): CloudflareAccount {
  const { ability, expiresAt } = factsSchema.parse(row.facts);
  return {
    kind: kindSchema.parse(row.kind),
    email: row.name,
    lastFour: row.last_four,
    ability,
    expiresAt,
    problem: row.problem,
    linkedAt: row.linked_at,
    checkedAt: row.checked_at,
  };
}

export const noAccount = () =>
  new ProblemError('conflict', messages.noCloudflare, {
    recovery: 'Link your Cloudflare account on the page Profile.',
  });

/**
 * As `asPerson`, for reading. Keeps why Cloudflare refused the credential, so that the pages say so until it works again; a
 * credential that was replaced meanwhile marks nothing.
 */
export async function asPersonNoting<T>(
  deps: Deps,
  owner: Owner,
  signal: AbortSignal | null,
  use: (asker: Asker, row: AccountRow) => Promise<T>,
): Promise<T> {
  const row = await deps.store.read(owner, findAccount);
  if (!row) throw noAccount();
  try {
    return await openRow(deps, owner, row, { doing: 'reading', ...(signal && { signal }) }, use);
  } catch (error) {
    return noteProblem(deps, owner, row, error);
  }
}

async function noteProblem(
  { store }: Deps,
  owner: Owner,
  { sealed }: AccountRow,
  error: unknown,
): Promise<never> {
  if (error instanceof ProblemError && (error.code === 'conflict' || error.code === 'invalid_input')) {
    await store.transact(owner, async ({ db }) => {
      await db
        .updateTable('linked_accounts')
        .set({ problem: error.message })
        .where('owner_id', '=', owner)
        .where('service', '=', purpose)
        .where('sealed', '=', sealed)
        .execute();
      await notifyChange(db, owner, 'zones', null);
    });
  }
  throw error;
}

/**
 * Opens the owner's credential for as long as `use` runs, and overwrites it then. A refusal of Cloudflare's becomes a problem for
 * the person; `doing` decides what the problem says of changes. Throws `conflict` when no account is linked.
 */
export async function asPerson<T>(
  deps: Deps,
  owner: Owner,
  how: How,
  use: (asker: Asker, row: AccountRow) => Promise<T>,
): Promise<T> {
  const row = await deps.store.read(owner, findAccount);
  if (!row) throw noAccount();
  return openRow(deps, owner, row, how, use);
}

type Deps = Pick<DomainDeps, 'store' | 'sealer' | 'cloudflare'>;
type How = { doing: 'reading' | 'changing'; signal?: AbortSignal };

async function openRow<T>(
  { sealer, cloudflare }: Deps,
  owner: Owner,
  row: AccountRow,
  { doing, signal }: How,
  use: (asker: Asker, row: AccountRow) => Promise<T>,
): Promise<T> {
  const { sealed, kind, name } = row;
  try {
    return await sealer.open({ ownerId: owner, purpose }, sealed, (secret) =>
      use({ cloudflare, credential: { kind: kindSchema.parse(kind), email: name, secret }, signal }, row),
    );
  } catch (error) {
    if (error instanceof CloudflareFailure) throw toProblem(error.failure, doing);
    if (!(error instanceof SealBroken)) throw error;
    throw new ProblemError(
      'conflict',
      'The console can no longer read your Cloudflare credential, because its own secret was replaced. Nothing was changed.',
      { recovery: 'Link your Cloudflare account again on the page Profile.' },
    );
  }
}
