import type { FoundApp, ImportOffer } from '@homeport/contract/servers/import-schema';

type Found = Extract<ImportOffer, { type: 'found' }>;
/** What is known of one app; null until it was read. */
export type OfferedApp = FoundApp | { unreadable: string } | null;

export type Offer =
  | { kind: 'asking' }
  | { kind: 'failed'; error: Error }
  | { kind: 'found'; found: Found; apps: ReadonlyMap<string, OfferedApp>; stopped: boolean };

export const asking: Offer = { kind: 'asking' };

export type OfferEvent =
  | ImportOffer
  | { type: 'again' }
  /** The reading ended: every app was read, or the stream was lost. */
  | { type: 'ended'; error: Error | null };

/** The state of the look at a server’s apps. A second look keeps what was read. */
export function offerAfter(offer: Offer, event: OfferEvent): Offer {
  switch (event.type) {
    case 'again':
      return offer.kind === 'found' ? { ...offer, stopped: false } : asking;
    case 'found': {
      const known = offer.kind === 'found' ? offer.apps : new Map<string, OfferedApp>();
      const apps = new Map(event.longnames.map((name) => [name, known.get(name) ?? null]));
      return { kind: 'found', found: event, apps, stopped: false };
    }
    case 'app':
      return withApp(offer, event.app.longname, event.app);
    case 'unreadable':
      return withApp(offer, event.longname, { unreadable: event.reason });
    case 'ended':
      if (offer.kind === 'found') return { ...offer, stopped: unreadCount(offer) > 0 };
      return {
        kind: 'failed',
        error: event.error ?? new Error('The connection to the console was lost.'),
      };
  }
}

/** How many apps are still to be read. */
export const unreadCount = ({ apps }: Extract<Offer, { kind: 'found' }>): number =>
  [...apps.values()].filter((app) => app === null).length;

function withApp(offer: Offer, longname: string, app: OfferedApp): Offer {
  if (offer.kind !== 'found' || !offer.apps.has(longname)) return offer;
  return { ...offer, apps: new Map(offer.apps).set(longname, app) };
}
