import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { ProxyDefinition } from '@homeport/rules';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeyOf } from '../data/api-query.ts';

/** Shows the console's answer to a change at once: the next change needs its version. */
export function showProxy(client: QueryClient, proxy: ProxyRecord): void {
  client.setQueryData(queryKeyOf('GET /api/proxies/:id', { params: { id: proxy.id } }), proxy);
}

/** The proxy as `rules/` reads it. */
export const definitionOf = ({ id, domain, source, rules }: ProxyRecord): ProxyDefinition => ({
  id,
  domain,
  source,
  records: rules,
});
