import {
  type SecurityEventKind,
  securityEventKinds,
  securityEventsKept,
} from '@homeport/contract/account/facts';
import type { SecurityEvent } from '@homeport/contract/account/schema';
import type { Owner, Store } from '@homeport/store';
import type { Locations } from '../location/locations.ts';
import { deviceInWords } from './device-in-words.ts';

/** The person’s security events, the one that happened last first. */
export async function listSecurityEvents(
  store: Store,
  locations: Locations,
  owner: Owner,
): Promise<SecurityEvent[]> {
  const rows = await store.read(owner, ({ db }) =>
    db
      .selectFrom('security_events')
      .selectAll()
      .where('owner_id', '=', owner)
      .orderBy('at', 'desc')
      .orderBy('number', 'desc')
      .limit(securityEventsKept * securityEventKinds.length)
      .execute(),
  );
  return rows.flatMap(({ id, kind, subject, count, address, user_agent, at }) =>
    isKind(kind)
      ? [
          {
            id,
            kind,
            subject,
            count,
            device: deviceInWords(user_agent),
            address,
            place: locations.inWords(address),
            at,
          },
        ]
      : [],
  );
}

/** A newer replica may have written a kind that this program does not know. */
const isKind = (kind: string): kind is SecurityEventKind => securityEventKinds.some((each) => each === kind);
