/** How many words a one-off command may have, and how long all of them together may be. */
export const commandWords = { most: 100, characters: 8_000 } as const;

/** A command that somebody waits for ends after this time at the latest, one in the background after a day. */
export const commandSeconds = { attended: 60 * 60, background: 24 * 60 * 60 } as const;

/** Containers of one-off commands that an app may have before another one begins in the background. */
export const commandsInBackground = 10;

/** How much of the output of a command in the background one answer holds. */
export const commandOutput = { lines: 200, lineCharacters: 1_000 } as const;

/** How many containers of one-off commands are listed, and how much of each one's command is. */
export const commandsListed = { most: 50, characters: 500 } as const;

/**
 * Docker's words for a container that Dokku stops: it looks among those that run, and warns of any other. A command that has ended is
 * listed until its container is removed, and its output can be read.
 */
const stoppableStates: readonly string[] = ['running', 'paused', 'restarting'];
export const canBeStopped = (state: string) => stoppableStates.includes(state);

/**
 * Why the words cannot be given to Dokku's `run`; null: they can. Dokku reads some words as its own wherever they stand: `--app x`
 * runs the command in the app x, `--trace` prints every variable, and `--label-file=x` reads a file of the server. It splits the
 * words that begin with `--` at white space once more, and reads backslashes in them.
 */
export function refusalOfWords(words: readonly string[]): string | null {
  const [program] = words;
  if (program === undefined || program === '') return 'Enter a command.';
  if (program.startsWith('-')) return 'Begin with the name of a program.';
  if (words.length > commandWords.most) return `Use at most ${commandWords.most} words.`;
  const characters = words.reduce((sum, word) => sum + word.length, 0);
  if (characters > commandWords.characters) return `Use at most ${commandWords.characters} characters.`;
  const taken = words.find(isTakenByDokku);
  return taken === undefined
    ? null
    : `Dokku takes ${taken.slice(0, 40)} for itself. Write the whole command as one word of a shell: sh -c '…'.`;
}

function isTakenByDokku(word: string): boolean {
  if (!word.startsWith('--')) return false;
  return word === '--app' || word === '--trace' || word.startsWith('--label') || /[\s\\]/.test(word);
}
