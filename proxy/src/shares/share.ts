/** Why there is no room: too much is open for this visitor's address, for this site, or for all sites of this account. */
export type Full = 'visitor' | 'site' | 'account';

export type ShareBounds = {
  /** Of everybody together. */
  most: number;
  perSite: number;
  perVisitor: number;
};

/** Whose room is taken. `visitor` is null where nobody in particular asks. */
type SiteOf = { id: string; owner: string };

/** So many every account may have, however little is left. */
const reserved = 16;
/** A site with nothing open may go so far beyond the bound. */
const beyond = 1.25;

class Counter {
  open = 0;
}

/**
 * Divides a bounded number of open things among accounts, sites and visitors.
 *
 * An account may have as many as stay free ("dynamic threshold" of shared buffers, Choudhury and Hahne 1998): one alone has at most half,
 * two at most a third each. So no account takes the last ones, whatever the others do, and nobody has to say how many accounts there are.
 */
export class Share {
  readonly #bounds: ShareBounds;
  readonly #sites = new Map<string, Counter>();
  readonly #accounts = new Map<string, Counter>();
  readonly #visitors = new Map<string, Counter>();
  #open = 0;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
  }

  get open(): number {
    return this.#open;
  }

  /** Takes room, or says why there is none. */
  enter(site: SiteOf, visitor: string | null): Full | null {
    const { most, perSite, perVisitor } = this.#bounds;
    const ofVisitor = visitor === null ? null : counterOf(this.#visitors, visitor);
    if (ofVisitor !== null && ofVisitor.open >= perVisitor) return 'visitor';
    const ofSite = counterOf(this.#sites, site.id);
    if (ofSite.open >= perSite) return 'site';
    const ofAccount = counterOf(this.#accounts, site.owner);
    const isFirst = ofSite.open === 0 && this.#open < most * beyond;
    if (!isFirst && ofAccount.open >= Math.max(most - this.#open, reserved)) return 'account';
    this.#open += 1;
    ofSite.open += 1;
    ofAccount.open += 1;
    if (ofVisitor !== null) ofVisitor.open += 1;
    return null;
  }

  /** Gives back what `enter` took, once. */
  leave(site: SiteOf, visitor: string | null): void {
    this.#open -= 1;
    counterOf(this.#sites, site.id).open -= 1;
    counterOf(this.#accounts, site.owner).open -= 1;
    if (visitor !== null) counterOf(this.#visitors, visitor).open -= 1;
  }

  /** Forgets whoever has nothing open. Now and then, so that a request need not make a counter anew. */
  tidy(): void {
    for (const counters of [this.#sites, this.#accounts, this.#visitors])
      for (const [key, { open }] of counters) if (open === 0) counters.delete(key);
  }
}

function counterOf(counters: Map<string, Counter>, key: string): Counter {
  let counter = counters.get(key);
  if (counter === undefined) {
    counter = new Counter();
    counters.set(key, counter);
  }
  return counter;
}
