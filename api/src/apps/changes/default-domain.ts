import { defaultDomainOf, globalDomainOf, hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { hostnameCharacters } from '@homeport/contract/fields/facts';
import type { StepContext } from '../../operations/definition.ts';
import type { ServerRow } from '../../records/server-record.ts';
import { leadsTo, type ServerAddresses } from '../../remote/server-addresses.ts';

type DomainSource = { addresses: ServerAddresses; appDomain: string | null };
type Server = Pick<ServerRow, 'ip' | 'port' | 'subdomain'>;

type DefaultDomain = { domain: string } | { domain: null; why: NoDefaultDomain };
type NoDefaultDomain = 'leads_elsewhere' | 'not_known' | 'too_long';

/**
 * The default domain of a new app. Beneath the name of a server it is one only where somebody made a wildcard record that leads it to this
 * server: a certificate request and a check for a name that leads nowhere fail. What DNS said once holds for the whole creation.
 */
export async function findDefaultDomain<Input extends { longname: string }>(
  { addresses, appDomain }: DomainSource,
  context: StepContext<Input>,
  server: Server,
): Promise<DefaultDomain> {
  const domain = defaultDomainOf(server, context.input.longname, appDomain);
  if (hasOwnWildcard(server)) return { domain };
  if (domain.length > hostnameCharacters) return { domain: null, why: 'too_long' };
  const said = context.facts.leadsByDefault;
  const leads =
    typeof said === 'boolean'
      ? said
      : await leadsTo(addresses, context.owner, domain, server, context.signal);
  if (leads === null) return { domain: null, why: 'not_known' };
  await context.remember({ leadsByDefault: leads });
  return leads ? { domain } : { domain: null, why: 'leads_elsewhere' };
}

/** Why the app has no default domain. `present`: those that Dokku gave it beneath the server's own global domain. */
export function sayNoDefaultDomain(
  why: NoDefaultDomain,
  server: Server,
  appDomain: string | null,
  present: readonly string[],
): string {
  const wildcard = `*.${globalDomainOf(server, appDomain)}`;
  const because = {
    leads_elsewhere: `no DNS record ${wildcard} leads to it`,
    not_known: `DNS does not say now whether a record ${wildcard} leads to it`,
    too_long: 'the name leaves no room for the app’s name before it',
  }[why];
  const given = present.length === 0 ? '' : ` Dokku gave it ${present.join(', ')}.`;
  return `This server is known by the name ${server.ip}, and ${because}, so the app has no default domain.${given} Add a domain on its page.`;
}

/**
 * The domains of an app that cannot be seen to lead to its server. None are looked up for a server that is known by its address, whose
 * domains the page checks before HTTPS is enabled.
 */
export async function strayDomains(
  addresses: ServerAddresses,
  { owner, signal }: Pick<StepContext<unknown>, 'owner' | 'signal'>,
  server: Server,
  domains: readonly string[],
): Promise<string[]> {
  if (hasOwnWildcard(server)) return [];
  const leads = await Promise.all(domains.map((domain) => leadsTo(addresses, owner, domain, server, signal)));
  return domains.filter((_, at) => leads[at] !== true);
}
