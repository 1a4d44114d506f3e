import { randomBytes } from 'node:crypto';
import { newDomain } from '@homeport/contract/fields/domain-name';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import { isUniqueViolation, nameIsFree, type Owner, type OwnerWrite } from '@homeport/store';
import { refuseAbove } from '../http/ceiling.ts';
import { ProblemError, wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findProxy } from '../records/proxy-record.ts';
import { checkProxy } from './compile-proxy.ts';
import type { ProxyDeps } from './deps.ts';
import { websiteOf } from './normalise-rule.ts';
import { toCheckedProxy } from './rule-warnings.ts';

type Asked = RouteParsed<'POST /api/proxies'>['body'];

/** Adds a proxy without rules. Its name is the domain unless the person gave another. */
export async function addProxy(
  deps: Pick<ProxyDeps, 'store' | 'ceilings' | 'door' | 'clock' | 'work'>,
  owner: Owner,
  asked: Asked,
): Promise<ProxyRecord> {
  const domain = wholeDomain(asked);
  const source = websiteOf(asked.source);
  const definition = { id: '', domain, source, records: [] };
  const { warnings } = await checkProxy(deps, owner, { definition, urls: [] });
  return refusingTaken(domain, () =>
    deps.store.transact(owner, async (scope) => {
      await refuseAbove(scope, 'proxies', deps.ceilings.proxies);
      const id = await insert(scope, deps.clock(), { ...asked, domain, source });
      await notifyChange(scope.db, owner, 'proxies', id);
      return toCheckedProxy(deps.door, await findProxy(scope, id), warnings);
    }),
  );
}

async function insert({ owner, db }: OwnerWrite, now: number, asked: Asked): Promise<string> {
  const { domain, source, subdomain = '', name = domain } = asked;
  const { id } = await db
    .insertInto('proxies')
    .values({
      ...{ owner_id: owner, name, domain, subdomain, source, created_at: now },
      proof: newProof(),
      holds: await nameIsFree(db, { ownerId: owner, domain, now }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Anybody may read it in DNS. It proves a domain, because only who changes the domain’s records can put it there. */
const newProof = (): string => `homeport-${randomBytes(16).toString('hex')}`;

function wholeDomain({ domain, subdomain }: Pick<Asked, 'domain' | 'subdomain'>): string {
  const whole = newDomain(subdomain === undefined ? domain : `${subdomain}.${domain}`);
  if (whole === null)
    throw wrongField(
      subdomain === undefined ? 'domain' : 'subdomain',
      'This makes no domain such as www.example.com.',
    );
  return whole;
}

/** One person has a domain in one proxy only. */
export async function refusingTaken<T>(domain: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const message = `Another proxy has ${domain} already.`;
    throw new ProblemError('conflict', message, { fields: { domain: message } });
  }
}
