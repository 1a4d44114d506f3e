import type { ChangeTopic } from '../live/facts.ts';
import { grants, type TokenScope } from './facts.ts';

/** The scope with which a token hears of a topic’s changes. Topics that are missing here are not sent to tokens. */
const scopeOfTopic: Partial<Record<ChangeTopic, TokenScope>> = {
  servers: 'servers:read',
  apps: 'apps:read',
  readings: 'apps:read',
  environment: 'apps:read',
  databases: 'databases:read',
  proxies: 'proxies:read',
  zones: 'zones:read',
  keys: 'keys:read',
  operations: 'operations:read',
  proposals: 'apps:propose',
  stats: 'stats:read',
};

/** Whether the caller hears of the topic’s changes. A session, which has no scopes, hears of all. */
export function hearsOf(scopes: readonly string[] | undefined, topic: ChangeTopic): boolean {
  if (scopes === undefined) return true;
  const needed = scopeOfTopic[topic];
  return needed !== undefined && grants(scopes, needed);
}
