import { type Place, Recency } from '../recency.ts';

/** What all accounts together may keep. */
export type AddressTimesBounds = { addresses: number; characters: number };

type Known = { address: string; owner: string; time: number };
type Account = { used: Recency<Known>; addresses: number; characters: number };

/**
 * A time for each of the addresses that were named last. Visitors choose addresses, of 8 KiB if they like, so what is kept has a bound in
 * letters as well. An account keeps as much as stays free, as of requests (`shares/share.ts`): beyond that its own oldest address goes,
 * and nobody else's.
 */
export class AddressTimes {
  readonly #bounds: AddressTimesBounds;
  readonly #known = new Map<string, Place<Known>>();
  readonly #accounts = new Map<string, Account>();
  #characters = 0;

  constructor(bounds: AddressTimesBounds) {
    this.#bounds = bounds;
  }

  get addresses(): number {
    return this.#known.size;
  }

  get characters(): number {
    return this.#characters;
  }

  get(address: string): number | undefined {
    return this.#known.get(address)?.value.time;
  }

  /** @param owner the account whose address it is */
  set(owner: string, address: string, time: number): void {
    this.#forget(address);
    const account = this.#accounts.get(owner) ?? { used: new Recency(), addresses: 0, characters: 0 };
    this.#accounts.set(owner, account);
    const place = account.used.add({ address, owner, time });
    this.#known.set(address, place);
    account.addresses += 1;
    account.characters += address.length;
    this.#characters += address.length;
    while (this.#isBeyond(account)) this.#forget(account.used.oldest?.address ?? '');
  }

  #isBeyond({ addresses, characters }: Account): boolean {
    return (
      addresses > this.#bounds.addresses - this.#known.size ||
      characters > this.#bounds.characters - this.#characters
    );
  }

  #forget(address: string): void {
    const place = this.#known.get(address);
    if (place === undefined) return;
    const { owner } = place.value;
    const account = this.#accounts.get(owner);
    this.#known.delete(address);
    this.#characters -= address.length;
    if (account === undefined) return;
    account.used.remove(place);
    account.addresses -= 1;
    account.characters -= address.length;
    if (account.addresses === 0) this.#accounts.delete(owner);
  }
}
