import type { Owner } from '@homeport/store';
import type { Cloudflare } from '../cloudflare/client.ts';
import { kindOf, needsEmail } from '../cloudflare/credential.ts';
import { CloudflareFailure, toProblem } from '../cloudflare/refusal.ts';
import { ProblemError, wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { type AccountRow, asPersonNoting, type DomainDeps, findAccount, purpose } from './account.ts';
import { type Checked, checkCredential } from './check-credential.ts';
import { keepZones } from './zones.ts';

/** Checks the credential at Cloudflare, then seals and keeps it with the zones that it lists. A refused one replaces nothing. */
export async function linkAccount(
  { store, sealer, cloudflare, clock }: DomainDeps,
  owner: Owner,
  given: { email: string | null; secret: string },
): Promise<AccountRow> {
  const { email } = given;
  const kind = kindOf(given.secret, email);
  if (needsEmail(kind) && email === null) {
    throw wrongField('email', 'The global API key goes with the e-mail address of its account.');
  }
  // A token needs no address. One that was typed all the same is not kept.
  const account = needsEmail(kind) ? email : null;
  const secret = Buffer.from(given.secret, 'latin1');
  const sealed = sealer.seal({ ownerId: owner, purpose }, secret);
  try {
    const checked = await check(cloudflare, { kind, email: account, secret }, clock());
    return await store.transact(owner, async (scope) => {
      const values = {
        kind,
        name: account,
        sealed,
        last_four: given.secret.slice(-4),
        linked_at: clock(),
        ...checkedColumns(checked, clock()),
      };
      const row = await scope.db
        .insertInto('linked_accounts')
        .values({ owner_id: owner, service: purpose, ...values })
        .onConflict((on) => on.columns(['owner_id', 'service']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      await keepZones(scope, row.id, checked.zones, checked.editable);
      await notifyChange(scope.db, owner, 'zones', null);
      return row;
    });
  } finally {
    secret.fill(0);
  }
}

/** Asks Cloudflare again what the kept credential may do. */
export async function checkAgain(deps: DomainDeps, owner: Owner): Promise<AccountRow> {
  const { store, clock } = deps;
  return asPersonNoting(deps, owner, null, async (asker, { id, sealed }) => {
    const checked = await checkCredential(asker, clock());
    return store.transact(owner, async (scope) => {
      const row = await scope.db
        .updateTable('linked_accounts')
        .set(checkedColumns(checked, clock()))
        .where('owner_id', '=', owner)
        .where('id', '=', id)
        .where('sealed', '=', sealed)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw replaced();
      await keepZones(scope, id, checked.zones, checked.editable);
      await notifyChange(scope.db, owner, 'zones', null);
      return row;
    });
  });
}

const replaced = () =>
  new ProblemError(
    'busy',
    'Your Cloudflare account was linked anew or unlinked meanwhile. Nothing was changed.',
  );

/** Forgets the credential and the zones. Nothing changes at Cloudflare. Resolves with false if no account was linked. */
export async function unlinkAccount({ store }: DomainDeps, owner: Owner): Promise<boolean> {
  return store.transact(owner, async (scope) => {
    const row = await findAccount(scope);
    if (!row) return false;
    await scope.db
      .deleteFrom('linked_accounts')
      .where('owner_id', '=', owner)
      .where('id', '=', row.id)
      .execute();
    await notifyChange(scope.db, owner, 'zones', null);
    return true;
  });
}

function checkedColumns({ ability, expiresAt, more }: Checked, now: number) {
  return {
    facts: JSON.stringify({ ability, expiresAt, moreZones: more }),
    problem: null,
    checked_at: now,
  };
}

async function check(
  cloudflare: Cloudflare,
  credential: Parameters<Cloudflare>[0],
  now: number,
): Promise<Checked> {
  try {
    return await checkCredential({ cloudflare, credential }, now);
  } catch (error) {
    if (error instanceof CloudflareFailure) throw toProblem(error.failure, 'reading');
    throw error;
  }
}
