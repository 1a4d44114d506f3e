import type { ChangeTopic } from '@homeport/contract/live/facts';
import type { QueryKey } from '@tanstack/react-query';
import type { RouteKey } from './route-types.ts';

/**
 * Every query key of a topic begins with the topic (`queryKeyOf`). The console sends no notification when the
 * outbox changes.
 */
export const topicKey = (topic: ChangeTopic | 'outbox'): QueryKey => [topic];

/**
 * The key of a server's own answer, kept apart from the topic's console records. The id is the app's or the
 * server's.
 */
export const onServerKey = (route: RouteKey, id: string | null, ...version: unknown[]): QueryKey =>
  id === null ? ['on-server', route] : ['on-server', route, id, ...version];

const onServer: QueryKey = ['on-server'];

/** Selects every answer of a server about one app, for `invalidateQueries`. */
export const answersAbout = (appId: string) => ({
  queryKey: onServer,
  predicate: ({ queryKey }: { queryKey: QueryKey }) => queryKey[2] === appId,
});

/** The keys that this browser holds for an account. Without an owner, for every account. */
export const heldKeysKey = (owner?: string): QueryKey =>
  owner === undefined ? ['held-keys'] : ['held-keys', owner];

/** What this browser has of push messages. It is read again with the destinations: a change there may be of this browser. */
export const thisBrowserKey: QueryKey = [...topicKey('destinations'), 'this browser'];

/** The record of signatures by this browser's keys. */
export const signedKey: QueryKey = ['signed'];

/** The ways in which the signed-in person can prove who they are. */
export const confirmationKey: QueryKey = ['confirmation'];
