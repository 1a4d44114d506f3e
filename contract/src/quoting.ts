/**
 * The one place where an argv becomes a line for a remote POSIX shell. Every command for an sshd passes
 * through here, because SSH has no argv on the wire: it has one string that the account’s shell parses (RFC
 * 4254, 6.5).
 *
 * @throws RangeError for an empty argv and for a NUL byte, which no argv can hold.
 */
export function quoteArgv(argv: readonly string[]): string {
  if (argv.length === 0) throw new RangeError('A command needs at least one word.');
  return argv.map(quoteWord).join(' ');
}

/**
 * Quotes one word, so that a POSIX shell reads back exactly these characters (POSIX.1-2024, Shell Command
 * Language, 2.2.2).
 */
export function quoteWord(word: string): string {
  if (word.includes('\0')) throw new RangeError('A command word cannot hold a NUL byte.');
  return plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Characters that mean themselves in every position. `=` is left out, because `a=b` as the first word would
 * be an assignment.
 */
const plainWord = /^[A-Za-z0-9_@%+:,./-]+$/;
