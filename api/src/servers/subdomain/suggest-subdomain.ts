import type { OwnerRead } from '@homeport/store';
import { randomName } from '../random-name.ts';

/** The names that the person cannot claim, of all users, because a name stands for one server, and one name that is free. */
export async function suggestSubdomain({
  owner,
  db,
}: OwnerRead): Promise<{ claimed: string[]; suggestion: string }> {
  const rows = await db
    .selectFrom('servers')
    .select('subdomain')
    .union(db.selectFrom('former_subdomains').select('subdomain').where('owner_id', '!=', owner))
    .orderBy('subdomain')
    .execute();
  const claimed = rows.map((row) => row.subdomain);
  let suggestion = randomName(8);
  while (claimed.includes(suggestion)) suggestion = randomName(8);
  return { claimed, suggestion };
}
