import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { ProxyDefinition } from '@homeport/rules';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeyOf } from '../data/api-query.ts';

const keyOf = (id: string) => queryKeyOf('GET /api/proxies/:id', { params: { id } });

/** Shows the console's answer to a change at once: the next change needs its version. */
export function showProxy(client: QueryClient, proxy: ProxyRecord): void {
  // A read that began before the change would bring back the older version.
  void client.cancelQueries({ queryKey: keyOf(proxy.id), exact: true });
  client.setQueryData(keyOf(proxy.id), proxy);
}

/** The version of the proxy that the page has by now: a change is made of it, and the next drawing shows it. */
export function shownVersion(client: QueryClient, { id, version }: ProxyRecord): number {
  return client.getQueryData<ProxyRecord>(keyOf(id))?.version ?? version;
}

/** The proxy as `rules/` reads it. */
export const definitionOf = ({ id, domain, source, rules }: ProxyRecord): ProxyDefinition => ({
  id,
  domain,
  source,
  records: rules,
});
