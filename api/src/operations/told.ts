import type { Channel, Payload } from '@homeport/store';
import { type RawBuilder, sql } from 'kysely';

/**
 * A notification as part of a statement that changes something, which saves a second round trip to the store.
 */
export function told<C extends Channel>(channel: C, payload: Payload<C>): RawBuilder<unknown> {
  return sql`pg_notify(${channel}, ${JSON.stringify(payload)})`;
}
