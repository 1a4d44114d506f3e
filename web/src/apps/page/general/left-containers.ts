import { leftContainersAtOnce } from '@homeport/contract/apps/facts';
import type { SystemInformation } from '@homeport/contract/apps/settings-schema';

/** A deploy takes its containers into use, or removes them, within its own checks. After this time they were left. */
const takenWithinMs = 30 * 60_000;

type Upcoming = NonNullable<SystemInformation['upcoming']>[number];

/** The containers that a failed deploy left on the server. Dokku forgets them, and nothing but a person removes them. */
export function leftContainers({ upcoming }: Pick<SystemInformation, 'upcoming'>, now: number): Upcoming[] {
  return (upcoming ?? []).filter(({ createdAt }) => createdAt !== null && now - createdAt > takenWithinMs);
}

const namedAtMost = 3;

/** "shop.web.1.upcoming-7 (exited), shop.web.2.upcoming-8 (running)", and how many more. Whoever removes them sees each. */
export function namesOf(left: readonly Upcoming[]): string {
  const named = left.slice(0, namedAtMost).map(({ name, state }) => `${name} (${state})`);
  const more = left.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} and ${more} more`;
}

/** The ids by which the console removes them, as many as it takes at once; null where the server’s plugin is too old to tell them. */
export function idsOf(left: readonly Upcoming[]): string[] | null {
  const ids = left.flatMap(({ id }) => id ?? []);
  return ids.length === left.length ? ids.slice(0, leftContainersAtOnce) : null;
}

/** The command that removes them, for a shell on the server. Docker's names hold no character that a shell reads. */
export const removalOf = (left: readonly Upcoming[]): string =>
  `docker container rm --force ${left.map(({ name }) => name).join(' ')}`;
