import { messages } from '@homeport/contract/messages';
import { formerSubdomains } from '@homeport/contract/servers/facts';
import type { OwnerWrite } from '@homeport/store';
import { wrongField } from '../../http/problem.ts';

type Scope = Pick<OwnerWrite, 'owner' | 'db'>;

/**
 * Lets a server of the person claim a subdomain. Throws where another server has it, or another person gave it up. One that the person
 * gave up themselves is no former one from now on.
 */
export async function claimSubdomain({ owner, db }: Scope, subdomain: string): Promise<void> {
  // A claimed name is unique across all users, so these two queries look beyond the owner’s rows.
  const taken = await db
    .selectFrom('servers')
    .select('owner_id')
    .where('subdomain', '=', subdomain)
    .executeTakeFirst();
  if (taken)
    throw wrongField(
      'subdomain',
      taken.owner_id === owner ? messages.subdomainOfOther : messages.subdomainClaimed,
    );
  // Asked after it: who gives one up writes the row together with the server's new name.
  const reserved = await db
    .selectFrom('former_subdomains')
    .select('subdomain')
    .where('subdomain', '=', subdomain)
    .where('owner_id', '!=', owner)
    .executeTakeFirst();
  if (reserved) throw wrongField('subdomain', messages.subdomainClaimed);
  await db
    .deleteFrom('former_subdomains')
    .where('owner_id', '=', owner)
    .where('subdomain', '=', subdomain)
    .execute();
}

/**
 * Keeps a subdomain that a server gives up for its person. DNS may lead it to their machine for as long as records name it, and whoever had
 * it next would share it with them. Call this where `countOwned` holds others that change servers of the person, after `claimSubdomain`.
 */
export async function reserveSubdomain(
  { owner, db }: Scope,
  subdomain: string,
  givenUpAt: number,
): Promise<void> {
  const held = await db
    .selectFrom('former_subdomains')
    .select('subdomain')
    .where('owner_id', '=', owner)
    .orderBy('given_up_at')
    .execute();
  if (held.length >= formerSubdomains)
    throw wrongField(
      'subdomain',
      `You have given up ${formerSubdomains} subdomains, which stay reserved for you, and no account may have more: ${held.map((each) => each.subdomain).join(', ')}. Take one of them in place of ${subdomain}. Nothing was changed.`,
    );
  await db
    .insertInto('former_subdomains')
    .values({ owner_id: owner, subdomain, given_up_at: givenUpAt })
    .execute();
}
