const mostCharacters = 80;

/** What is wrong with a key's name, in the words of the console; null when nothing is. */
export function nameProblem(name: string): string | null {
  const { length } = name.trim();
  if (length === 0) return 'Enter a name.';
  return length > mostCharacters ? `Use at most ${mostCharacters} characters.` : null;
}
