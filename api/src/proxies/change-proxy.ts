import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { Site } from '@homeport/rules';
import type { Owner, OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { tellChange } from '../live/tell-change.ts';
import {
  definitionOf,
  findProxy,
  holdProxy,
  keepProxy,
  type ProxyEdit,
  type ProxyRow,
  toProxy,
} from '../records/proxy-record.ts';
import { compileProxy, retest } from './compile-proxy.ts';
import type { ProxyDeps } from './deps.ts';
import { refuseHeavy } from './refuse-heavy.ts';

export type Change = {
  id: string;
  /** The version that the page showed. */
  version: number;
  newAnswers: 'refuse' | 'save';
  /** The rule whose fields the request holds. */
  edited?: string;
  /** The changed parts of the proxy. Throws a problem for a change that is not possible. */
  edit: (row: ProxyRow) => Partial<ProxyEdit> | Promise<Partial<ProxyEdit>>;
  /** Runs in the same transaction, after the change. */
  afterwards?: (scope: OwnerWrite, row: ProxyRow) => Promise<void>;
};

/**
 * Changes a proxy if its version is still the one that the page showed: compiles the result, tries the saved URLs, keeps all of it and
 * tells pages. The store tells the data planes. Throws `stale_edit` with the current proxy, `invalid_input`, `conflict` or `not_found`.
 */
export function changeProxy(
  { store, door }: Pick<ProxyDeps, 'store' | 'door'>,
  owner: Owner,
  change: Change,
): Promise<ProxyRecord> {
  return store.transact(owner, async (scope) => {
    const row = await holdProxy(scope, change.id);
    if (row.edit_version !== change.version)
      throw new ProblemError('stale_edit', 'This proxy was changed elsewhere.', {
        current: toProxy(row, door),
      });
    const edited = { ...row, ...(await change.edit(row)) };
    const definition = definitionOf(edited);
    const site: Site = compileProxy(definition, change.edited);
    const { name, domain, subdomain, source, records } = edited;
    // A change of the saved URLs themselves comes with their answers.
    const saved_urls =
      edited.saved_urls === row.saved_urls
        ? await retest({ tests: row.saved_urls, rules: row.records }, site, definition, change.newAnswers)
        : edited.saved_urls;
    await keepProxy(scope, row.id, { name, domain, subdomain, source, records, saved_urls });
    if (records !== row.records)
      await refuseHeavy(
        scope,
        row,
        records.find(({ id }) => id === change.edited),
      );
    await change.afterwards?.(scope, edited);
    await tellChange(scope.db, scope.owner, 'proxies', row.id);
    return toProxy(await findProxy(scope, row.id), door);
  });
}
