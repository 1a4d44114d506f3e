import { newDomain } from '@homeport/contract/fields/domain-name';
import { messages } from '@homeport/contract/messages';
import { zoneProvesMs } from '@homeport/contract/proxies/facts';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import { nameIsFree, type Owner, type OwnerRead, type OwnerWrite } from '@homeport/store';
import { sql } from 'kysely';
import { wrongField } from '../http/problem.ts';
import { findProxyOutline, type ProxyRow } from '../records/proxy-record.ts';
import { proofName } from '../records/proxy-standing.ts';
import { refusingTaken } from './add-proxy.ts';
import { changeProxy } from './change-proxy.ts';
import type { ProxyDeps } from './deps.ts';
import { websiteOf } from './normalise-rule.ts';

type Asked = RouteParsed<'PATCH /api/proxies/:id'>['body'];

/** Changes the name, the domain or the primary website. A new domain must be proven to be the person’s first. */
export async function editProxy(
  deps: ProxyDeps,
  owner: Owner,
  id: string,
  asked: Asked,
): Promise<ProxyRecord> {
  const { version, newAnswers, name, source } = asked;
  const domain = asked.domain === undefined ? undefined : await provenDomain(deps, owner, id, asked.domain);
  return refusingTaken(asked.domain ?? '', () =>
    changeProxy(deps, owner, {
      id,
      version,
      newAnswers,
      edit: () => ({
        ...(name !== undefined && { name }),
        ...(source !== undefined && { source: websiteOf(source) }),
        // Only the form of a new proxy tells a subdomain from its domain.
        ...(domain !== undefined && { domain, subdomain: '' }),
      }),
      afterwards: async (scope, row) => {
        if (domain !== undefined) await beginAnew(scope, row, deps.clock());
      },
    }),
  );
}

/** The data plane looks at the new domain at once, and answers it only when it leads here and is proven. */
async function beginAnew({ owner, db }: OwnerWrite, { id, domain }: ProxyRow, now: number): Promise<void> {
  await db
    .updateTable('proxies')
    .set({
      ...{ holds: false, allowed: false, owned: 'unknown', pointing: 'unknown', found: '{}', refusal: null },
      ...{ granted_at: null, checked_at: null, check_due_at: 0, failures: 0, failing_since: null },
      ...{ certificate: null, unserved_at: null },
      // The result of a check that is under way is about the old domain.
      check_version: sql<number>`check_version + 1`,
    })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .execute();
  const holds = await nameIsFree(db, { ownerId: owner, domain, now });
  await db.updateTable('proxies').set({ holds }).where('owner_id', '=', owner).where('id', '=', id).execute();
}

/** Throws `invalid_input` for a domain that nothing proves to be the person’s. */
async function provenDomain(
  { store, readTxt, clock }: ProxyDeps,
  owner: Owner,
  id: string,
  typed: string,
): Promise<string | undefined> {
  const domain = newDomain(typed);
  const { proxy, others, zones } = await store.read(owner, async (scope) => ({
    proxy: await findProxyOutline(scope, id),
    others: await ownDomains(scope),
    zones: await activeZones(scope, clock()),
  }));
  if (domain === proxy.domain) return undefined;
  if (domain === null) throw wrongField('domain', messages.domainNotOwned);
  if (zones.some((zone) => isWithin(domain, zone))) return domain;
  if (others.some((each) => provesOver(each, domain))) return domain;
  if ((await readTxt(proofName(domain))).includes(proxy.proof)) return domain;
  throw wrongField('domain', messages.domainNotOwned);
}

type OwnDomain = Pick<ProxyRow, 'domain' | 'holds' | 'owned'>;

const ownDomains = ({ owner, db }: OwnerRead): Promise<OwnDomain[]> =>
  db.selectFrom('proxies').select(['domain', 'holds', 'owned']).where('owner_id', '=', owner).execute();

/** Who changes the records of a domain changes those of its subdomains. */
const provesOver = ({ holds, owned, domain: known }: OwnDomain, domain: string): boolean =>
  holds && (owned === 'zone' || owned === 'txt') && isWithin(domain, known);

const isWithin = (domain: string, zone: string) => domain === zone || domain.endsWith(`.${zone}`);

/** Cloudflare calls a zone active when its domain’s registry names Cloudflare’s name servers. What was read long ago proves nothing. */
async function activeZones({ owner, db }: OwnerRead, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('zones')
    .innerJoin('linked_accounts', 'linked_accounts.id', 'zones.account_id')
    .select('zones.name')
    .where('zones.owner_id', '=', owner)
    .where('zones.status', '=', 'active')
    .where('linked_accounts.checked_at', '>', now - zoneProvesMs)
    .execute();
  return rows.map(({ name }) => name);
}
