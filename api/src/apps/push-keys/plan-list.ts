import { ProblemError } from '../../http/problem.ts';

type Change = { listed: readonly string[]; from: readonly string[]; to: readonly string[] };

/**
 * What is still missing between the list that the server has and the wanted one. Names are added first, so a list that a cut-off try
 * left holds all that was to be added before it lacks anything that was to go. Each other list is somebody else’s work, and is refused.
 */
export function planList({ listed, from, to }: Change): { add: string[]; remove: string[] } {
  const now = new Set(listed);
  const wanted = new Set(to);
  const shown = new Set(from);
  const add = to.filter((name) => !now.has(name));
  const remove = listed.filter((name) => !wanted.has(name));
  const came = remove.filter((name) => !shown.has(name));
  const left = from.filter((name) => !now.has(name));
  if (came.length > 0) throw changedSince(`${inWords(came)} may push by now`);
  if (listed.length === 0 && from.length > 0)
    throw changedSince('it is empty, so every key of the server may push');
  if (left.some((name) => wanted.has(name)) || (left.length > 0 && add.length > 0))
    throw changedSince(`${inWords(left)} may not push any more`);
  return { add, remove };
}

const changedSince = (what: string) =>
  new ProblemError('conflict', `The list of keys was changed since you saw it: ${what}. It stays as it is.`, {
    recovery: 'Look at the list again, and change it anew.',
  });

/** The first three, and how many more. */
export const inWords = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
