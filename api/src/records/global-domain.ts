import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import type { ServerRow } from './server-record.ts';

/**
 * The domain beneath which a server’s apps get theirs: `{subdomain}.{suffix}` where the operator has a shared suffix,
 * else one that resolves to the server’s address by itself. A loopback address gets `localhost`, which browsers resolve.
 */
export function globalDomainOf(
  server: Pick<ServerRow, 'subdomain' | 'ip'>,
  appDomain: string | null,
): string {
  if (appDomain) return `${server.subdomain}.${appDomain}`;
  return isLoopbackAddress(server.ip) ? `${server.subdomain}.localhost` : `${server.ip}.sslip.io`;
}
