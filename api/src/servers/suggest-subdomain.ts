import type { OwnerRead } from '@homeport/store';
import { randomName } from './random-name.ts';

/** The claimed names of all users, because a name stands for one server, and one name that is free. */
export async function suggestSubdomain({
  db,
}: OwnerRead): Promise<{ claimed: string[]; suggestion: string }> {
  const rows = await db.selectFrom('servers').select('subdomain').orderBy('subdomain').execute();
  const claimed = rows.map((row) => row.subdomain);
  let suggestion = randomName(8);
  while (claimed.includes(suggestion)) suggestion = randomName(8);
  return { claimed, suggestion };
}
