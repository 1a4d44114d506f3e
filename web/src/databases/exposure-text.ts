import type { Database, ExposedPort } from '@homeport/contract/databases/schema';
import { urlHost } from '@homeport/contract/fields/server-address';

/** "127.0.0.1:21000", "[fd00::5]:21000" or "all addresses:21000" */
export const exposedAt = ({ address, hostPort }: Pick<ExposedPort, 'address' | 'hostPort'>): string =>
  `${address === null ? 'all addresses' : urlHost(address)}:${hostPort}`;

/** "5432 → 127.0.0.1:21000": a port of the container, and where the server answers for it. */
export const portPair = (port: ExposedPort): string => `${port.containerPort} → ${exposedAt(port)}`;

/** The first place where the server answers for the database, and how many more there are. null: not exposed. */
export function exposureOf({ ports }: Pick<Database, 'ports'>): { first: string; more: number } | null {
  const [first, ...more] = ports;
  return first ? { first: exposedAt(first), more: more.length } : null;
}
