import { randomUUID } from 'node:crypto';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { RouteParsed } from '@homeport/contract/routes';
import type { Owner } from '@homeport/store';
import { limitReached } from '../http/ceiling.ts';
import { notFound } from '../http/problem.ts';
import type { ProxyRow } from '../records/proxy-record.ts';
import { type ChangeDeps, changeProxy } from './change-proxy.ts';
import { normaliseRule } from './normalise-rule.ts';

/** Adds a rule after the others. */
export function addRule(
  deps: ChangeDeps,
  owner: Owner,
  id: string,
  { version, newAnswers, ...typed }: RouteParsed<'POST /api/proxies/:id/rules'>['body'],
): Promise<ProxyRecord> {
  const edited = randomUUID();
  const edit = ({ records }: ProxyRow) => {
    if (records.length >= proxyLimits.rules) throw limitReached('rules of this proxy', proxyLimits.rules);
    return { records: [...records, normaliseRule(edited, typed)] };
  };
  return changeProxy(deps, owner, { id, version, newAnswers, edited, edit });
}

/** Replaces a rule in its place. */
export function replaceRule(
  deps: ChangeDeps,
  owner: Owner,
  { id, rule }: { id: string; rule: string },
  { version, newAnswers, ...typed }: RouteParsed<'PUT /api/proxies/:id/rules/:rule'>['body'],
): Promise<ProxyRecord> {
  const edit = ({ records }: ProxyRow) => ({
    records: records.with(placeOf(records, rule), normaliseRule(rule, typed)),
  });
  return changeProxy(deps, owner, { id, version, newAnswers, edited: rule, edit });
}

/** Moves a rule to another place. A place behind the last one is the last one. */
export function moveRule(
  deps: ChangeDeps,
  owner: Owner,
  { id, rule }: { id: string; rule: string },
  { version, newAnswers, to }: RouteParsed<'POST /api/proxies/:id/rules/:rule/move'>['body'],
): Promise<ProxyRecord> {
  const edit = ({ records }: ProxyRow) => {
    const from = placeOf(records, rule);
    return { records: records.toSpliced(from, 1).toSpliced(to, 0, ...records.slice(from, from + 1)) };
  };
  return changeProxy(deps, owner, { id, version, newAnswers, edit });
}

export function deleteRule(
  deps: ChangeDeps,
  owner: Owner,
  { id, rule }: { id: string; rule: string },
  { version, newAnswers }: RouteParsed<'POST /api/proxies/:id/rules/:rule/delete'>['body'],
): Promise<ProxyRecord> {
  const edit = ({ records }: ProxyRow) => ({ records: records.toSpliced(placeOf(records, rule), 1) });
  return changeProxy(deps, owner, { id, version, newAnswers, edit });
}

/** Replaces the saved URLs. Each is saved with its present answer. */
export function replaceTests(
  deps: ChangeDeps,
  owner: Owner,
  id: string,
  { version, urls }: RouteParsed<'PUT /api/proxies/:id/tests'>['body'],
): Promise<ProxyRecord> {
  const edit = () => ({});
  return changeProxy(deps, owner, { id, version, newAnswers: 'save', edit, urls: [...new Set(urls)] });
}

/** Throws `not_found` for a rule that the proxy does not have, or has no more. */
function placeOf(records: ProxyRow['records'], rule: string): number {
  const place = records.findIndex(({ id }) => id === rule);
  if (place < 0) throw notFound('rule');
  return place;
}
