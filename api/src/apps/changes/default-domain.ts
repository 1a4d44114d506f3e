import { defaultDomainOf, globalDomainOf, hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { hostnameCharacters } from '@homeport/contract/fields/facts';
import type { StepContext } from '../../operations/definition.ts';
import type { ServerRow } from '../../records/server-record.ts';
import { leadsTo, type ServerAddresses } from '../../remote/server-addresses.ts';

export type DomainSource = { addresses: ServerAddresses; appDomain: string | null };
type Server = Pick<ServerRow, 'ip' | 'port' | 'subdomain'>;

/**
 * The default domain of a new app. Beneath the name of a server it is one only where somebody made a wildcard record that leads it to this
 * server: a certificate request and a check for a name that leads nowhere fail. Null: there is none. Decided once for each creation.
 */
export async function findDefaultDomain<Input extends { longname: string }>(
  { addresses, appDomain }: DomainSource,
  context: StepContext<Input>,
  server: Server,
): Promise<string | null> {
  const domain = defaultDomainOf(server, context.input.longname, appDomain);
  if (hasOwnWildcard(server)) return domain;
  const decided = context.facts.leadsByDefault;
  if (typeof decided === 'boolean') return decided ? domain : null;
  const leads =
    domain.length <= hostnameCharacters && (await leadsTo(addresses, context.owner, domain, server)) === true;
  await context.remember({ leadsByDefault: leads });
  return leads ? domain : null;
}

/** Why the app has no default domain. `present`: those that Dokku gave it beneath the server's own global domain. */
export function sayNoDefaultDomain(
  server: Server,
  appDomain: string | null,
  present: readonly string[],
): string {
  const given = present.length === 0 ? '' : ` Dokku gave it ${present.join(', ')}.`;
  return `This server is known by the name ${server.ip}, and no DNS record *.${globalDomainOf(server, appDomain)} leads to it, so the app has no default domain.${given} Add a domain on its page.`;
}

/**
 * The domains of an app that cannot be seen to lead to its server. None are looked up for a server that is known by its address, whose
 * domains the page checks before HTTPS is enabled.
 */
export async function strayDomains(
  addresses: ServerAddresses,
  { owner }: Pick<StepContext<unknown>, 'owner'>,
  server: Server,
  domains: readonly string[],
): Promise<string[]> {
  if (hasOwnWildcard(server)) return [];
  const leads = await Promise.all(domains.map((domain) => leadsTo(addresses, owner, domain, server)));
  return domains.filter((_, at) => leads[at] !== true);
}
