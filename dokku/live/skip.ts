/** A check that can prove nothing on this host. It counts as skipped, and not as passed. */
export class Skipped extends Error {}

/** @throws Skipped with the reason, a sentence without its full stop */
export function skip(reason: string): never {
  throw new Skipped(reason);
}
