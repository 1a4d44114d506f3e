import type { Repository } from '@homeport/contract/github/schema';

/** More are found with a word. A list of thousands would only slow the dialog down. */
const shownAtMost = 100;

/** The repositories whose name or description has every word, in the order of the list. */
export function findRepositories(repositories: readonly Repository[], words: string): Repository[] {
  const wanted = words.toLowerCase().split(' ').filter(Boolean);
  return repositories
    .filter(({ fullName, description }) => {
      const text = `${fullName} ${description ?? ''}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .slice(0, shownAtMost);
}
