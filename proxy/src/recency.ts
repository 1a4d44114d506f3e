/** A value in the order of its last use. Only the list reads and writes the neighbours. */
export type Place<T> = { readonly value: T; before: Place<T> | null; after: Place<T> | null };

/**
 * Values in the order of their last use. A Map that takes a key out and in again for each use has the same order; V8 then makes a new
 * table after so many deletions, and the old ones stay until the next full collection.
 */
export class Recency<T> {
  #oldest: Place<T> | null = null;
  #newest: Place<T> | null = null;

  /** The value that was not used for the longest time. */
  get oldest(): T | undefined {
    return this.#oldest?.value;
  }

  /** All values, in the order of their last use. */
  values(): T[] {
    const values: T[] = [];
    for (let place = this.#oldest; place !== null; place = place.after) values.push(place.value);
    return values;
  }

  /** Adds a value as the one that was used last. */
  add(value: T): Place<T> {
    const place: Place<T> = { value, before: null, after: null };
    this.#append(place);
    return place;
  }

  /** The value is used. */
  use(place: Place<T>): void {
    if (place === this.#newest) return;
    this.remove(place);
    this.#append(place);
  }

  remove(place: Place<T>): void {
    const { before, after } = place;
    if (before) before.after = after;
    else if (this.#oldest === place) this.#oldest = after;
    if (after) after.before = before;
    else if (this.#newest === place) this.#newest = before;
    place.before = null;
    place.after = null;
  }

  #append(place: Place<T>): void {
    place.before = this.#newest;
    if (this.#newest) this.#newest.after = place;
    else this.#oldest = place;
    this.#newest = place;
  }
}
