import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { type Warning, warningText } from '@homeport/rules';
import type { Owner } from '@homeport/store';
import { definitionOf, type FrontDoor, type ProxyRow, toProxyFields } from '../records/proxy-record.ts';
import { withoutHtml } from './compile-proxy.ts';
import type { ProxyDeps } from './deps.ts';

type Shown = ProxyRecord['warnings'];

/** What was found wrong with an edit of a proxy. An edit never changes, so reading it again compiles nothing. */
const known = new Map<string, Promise<Shown>>();
const knownAtOnce = 500;

/** A proxy as a person reads it. Rules that cannot be looked at now are said to be so: they never keep anybody from reading a proxy. */
export async function toProxy(
  { door, work }: Pick<ProxyDeps, 'door' | 'work'>,
  owner: Owner,
  row: ProxyRow,
): Promise<ProxyRecord> {
  const key = keyOf(row, door);
  const found = known.get(key) ?? findWarnings(work, owner, row).then((all) => toShown(all, door));
  remember(key, found);
  try {
    return { ...toProxyFields(row, door), warnings: await found };
  } catch {
    known.delete(key);
    return { ...toProxyFields(row, door), warnings: [{ rule: null, text: notLookedAt }] };
  }
}

/** As `toProxy`, where the change that made the row has found its warnings already. */
export function toCheckedProxy(door: FrontDoor, row: ProxyRow, warnings: readonly Warning[]): ProxyRecord {
  const shown = toShown(warnings, door);
  remember(keyOf(row, door), Promise.resolve(shown));
  return { ...toProxyFields(row, door), warnings: shown };
}

const notLookedAt =
  'The rules could not be looked at for mistakes: that takes too long, or much else is under way. Open the page again.';

const keyOf = (row: ProxyRow, { asksPrivate }: FrontDoor) => `${row.id} ${row.edit_version} ${asksPrivate}`;

function remember(key: string, found: Promise<Shown>): void {
  known.delete(key);
  known.set(key, found);
  const [oldest] = known.keys();
  if (known.size > knownAtOnce && oldest !== undefined) known.delete(oldest);
}

async function findWarnings(work: ProxyDeps['work'], owner: Owner, row: ProxyRow): Promise<Warning[]> {
  const checked = await work.run(owner, 'check', { definition: withoutHtml(definitionOf(row)), urls: [] });
  return 'problems' in checked ? [] : checked.warnings;
}

/** That browsers are sent to the path with a slash is how a subdirectory works, not something that a person has to know. */
const toShown = (warnings: readonly Warning[], { asksPrivate }: FrontDoor): Shown =>
  warnings
    .filter(({ code }) => code !== 'bare_redirect' && !(asksPrivate && code === 'private_target'))
    .map((warning) => ({ rule: 'rule' in warning ? warning.rule : null, text: warningText(warning) }));
