import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProxyRecord, ProxyTest } from '@homeport/contract/proxies/schema';
import type { Owner, OwnerWrite } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import {
  definitionOf,
  findProxy,
  holdProxy,
  keepProxy,
  type ProxyEdit,
  type ProxyRow,
} from '../records/proxy-record.ts';
import { checkProxy, retest } from './compile-proxy.ts';
import type { ProxyDeps } from './deps.ts';
import { readPaced } from './read-paced.ts';
import { refuseHeavy } from './refuse-heavy.ts';
import { toCheckedProxy, toProxy } from './rule-warnings.ts';

export type ChangeDeps = Pick<ProxyDeps, 'store' | 'door' | 'work' | 'pace'>;

export type Change = {
  id: string;
  /** The version that the page showed. */
  version: number;
  newAnswers: 'refuse' | 'save';
  /** The rule whose fields the request holds. */
  edited?: string;
  /** The changed parts of the proxy. Throws a problem for a change that is not possible. */
  edit: (row: ProxyRow) => Partial<ProxyEdit>;
  /** The URLs to save with their answers, in place of those that are saved. */
  urls?: readonly string[];
  /** Runs in the same transaction, after the change. */
  afterwards?: (scope: OwnerWrite, row: ProxyRow) => Promise<void>;
};

/**
 * Changes a proxy if its version is still the one that the page showed: compiles the result, tries the saved URLs, keeps all of it and
 * tells pages. The store tells the data planes. Throws `stale_edit` with the current proxy, `invalid_input`, `conflict` or `not_found`.
 *
 * Trying the rules may take seconds. So the transaction begins afterwards, and looks again whether the version is still the same.
 */
export async function changeProxy(deps: ChangeDeps, owner: Owner, change: Change): Promise<ProxyRecord> {
  const { store, door } = deps;
  const row = await readPaced(deps, owner, change.id);
  if (row.edit_version !== change.version) throw await staleEdit(deps, owner, row);
  const edit = change.edit(row);
  const edited = { ...row, ...edit };
  const definition = definitionOf(edited);
  const urls = change.urls ?? row.saved_urls.map(({ url }) => url);
  const checked = await checkProxy(deps, owner, { definition, urls, edited: change.edited });
  refuseManyBytes(checked.tests, row);
  const saved_urls = change.urls
    ? checked.tests
    : retest({ tests: row.saved_urls, rules: row.records }, checked.tests, definition, change.newAnswers);
  deps.pace.count(owner, bytesToWrite(edited, saved_urls, change.edited));
  const kept = await store.transact(owner, async (scope) => {
    const held = await holdProxy(scope, change.id);
    if (held.edit_version !== row.edit_version) return { stale: held };
    const { name, domain, subdomain, source, records } = edited;
    await keepProxy(scope, row.id, { name, domain, subdomain, source, records, saved_urls });
    const changed = records.find(({ id }) => id === change.edited);
    if (records !== row.records) await refuseHeavy(scope, held, changed);
    await change.afterwards?.(scope, { ...held, ...edit });
    await notifyChange(scope.db, scope.owner, 'proxies', row.id);
    return { row: await findProxy(scope, row.id) };
  });
  if ('stale' in kept) throw await staleEdit(deps, owner, kept.stale);
  return toCheckedProxy(door, kept.row, checked.warnings);
}

/** Throws `limit_reached` when the saved URLs would take more bytes than a proxy may have, and more than they do. */
function refuseManyBytes(saved: readonly ProxyTest[], { url_bytes }: ProxyRow): void {
  const bytes = lengthOf(saved);
  if (bytes <= proxyLimits.savedUrlBytes || bytes <= url_bytes) return;
  throw new ProblemError(
    'limit_reached',
    `The saved URLs and what they lead to would take ${Math.ceil(bytes / 1024).toLocaleString('en')} KiB. At most ${proxyLimits.savedUrlBytes / 1024} KiB is possible. Nothing was changed.`,
    { recovery: 'Save fewer URLs, or a rewrite that makes shorter ones.' },
  );
}

/** About what an edit writes. The other rules weigh what they weighed, so they need not be written twice to be counted. */
function bytesToWrite(
  { rule_bytes, records }: ProxyRow,
  saved: readonly ProxyTest[],
  edited?: string,
): number {
  return rule_bytes + JSON.stringify(records.filter(({ id }) => id === edited)).length + lengthOf(saved);
}

/** Both texts are ASCII. */
const lengthOf = (saved: readonly ProxyTest[]): number =>
  saved.reduce((sum, { url, gets }) => sum + url.length + gets.length, 0);

const staleEdit = async (deps: ChangeDeps, owner: Owner, row: ProxyRow) =>
  new ProblemError('stale_edit', 'This proxy was changed elsewhere.', {
    current: await toProxy(deps, owner, row),
  });
