import type { ChangeTopic } from '@homeport/contract/live/facts';
import type { QueryKey } from '@tanstack/react-query';
import type { RouteKey } from './route-types.ts';

/** Every query of a topic begins with it (`queryKeyOf`). The outbox changes without a notification. */
export const topicKey = (topic: ChangeTopic | 'outbox'): QueryKey => [topic];

/** What a server itself answered, apart from the console's records of the topic. The id is the app's or the server's. */
export const onServerKey = (route: RouteKey, id: string | null, ...version: unknown[]): QueryKey =>
  id === null ? ['on-server', route] : ['on-server', route, id, ...version];

/** What this browser holds for an account; for every account without an owner. */
export const heldKeysKey = (owner?: string): QueryKey =>
  owner === undefined ? ['held-keys'] : ['held-keys', owner];

/** What this browser's keys have signed. */
export const signedKey: QueryKey = ['signed'];
