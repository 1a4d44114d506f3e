/**
 * A command as data: what to run, never how it gets there. `ways.ts` turns it into an argv for an account, and
 * `quoteArgv` of the contract turns that argv into the one line that SSH carries.
 */
export type Command = {
  /** `dokku`: the words after the program's name. `host`: a whole argv of an ordinary program. */
  readonly program: 'dokku' | 'host';
  readonly words: readonly string[];
  /** Fed to the command and closed. The only place where a secret may stand: an argv is in the process list. */
  readonly stdin?: string;
  /** The command fails for everybody but root (reference: Dokku's root-only list, apt, ufw, docker). */
  readonly needsRoot: boolean;
};

/** What came back. `exitCode` is null when the channel closed without one: that is a lost connection, never success. */
export type Outcome = {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export function dokku(...words: readonly string[]): Command {
  return { program: 'dokku', words, needsRoot: needsRoot(words) };
}

export function withStdin(command: Command, stdin: string): Command {
  return { ...command, stdin };
}

export function hostCommand(
  words: readonly string[],
  options: { needsRoot: boolean; stdin?: string },
): Command {
  return { program: 'host', words, ...options };
}

/** Dokku 0.38.27, `dokku` script: these first words are refused unless the caller is root. */
export function needsRoot(words: readonly string[]): boolean {
  const name = words.find((word) => !word.startsWith('--')) ?? '';
  if (name.startsWith('plugin:')) return name !== 'plugin:list' && name !== 'plugin:help';
  return rootOnly.has(name);
}

const rootOnly = new Set([
  'ssh-keys:add',
  'ssh-keys:remove',
  'scheduler-k3s:initialize',
  'scheduler-k3s:uninstall',
]);
