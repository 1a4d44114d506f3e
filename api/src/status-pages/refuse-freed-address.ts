import { statusPageRules } from '@homeport/contract/status-pages/facts';
import type { OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';

const dayMs = 86_400_000;

/**
 * Throws `conflict` for an address at which somebody else had a page until lately. It asks after the page took the address, because a page that goes
 * in another transaction holds the address until that ends.
 */
export async function refuseFreedAddress(
  { owner, db }: OwnerWrite,
  slug: string,
  now: number,
): Promise<void> {
  const freed = await db
    .selectFrom('freed_status_addresses')
    .select('slug')
    .where('slug', '=', slug)
    .where('owner_id', 'is distinct from', owner)
    .where('freed_at', '>', now - statusPageRules.freedDays * dayMs)
    .executeTakeFirst();
  if (!freed) return;
  const message = 'Another page was at this address until lately. Choose another one.';
  throw new ProblemError('conflict', message, { fields: { slug: message } });
}
