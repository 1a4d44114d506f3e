/**
 * A command as data. It does not say how to reach the server. `ways.ts` makes an argv of the command for an account, and
 * `quoteArgv` of the contract makes the one line of that argv that SSH carries.
 */
export type Command = {
  /** `dokku`: the words after the program's name. `host`: a whole argv of an ordinary program. */
  readonly program: 'dokku' | 'host';
  readonly words: readonly string[];
  /** The command's whole input. Secrets may stand only here, because an argv is visible in the process list. */
  readonly stdin?: string;
  /** True for a command that fails for everybody but root (Dokku's root-only list, apt, ufw, docker). */
  readonly needsRoot: boolean;
};

/** The result of a command. `exitCode` is null when the channel closed without one, which means a lost connection and never success. */
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

/** The command's name, such as `ps:restart`, behind Dokku's own options. */
export function commandName({ words }: Pick<Command, 'words'>): string {
  return words.find((word) => !word.startsWith('--')) ?? '';
}

/** The `dokku` script of Dokku 0.38.27 refuses these first words unless the caller is root. */
export function needsRoot(words: readonly string[]): boolean {
  const name = commandName({ words });
  if (name.startsWith('plugin:')) return name !== 'plugin:list' && name !== 'plugin:help';
  return rootOnly.has(name);
}

const rootOnly = new Set([
  'ssh-keys:add',
  'ssh-keys:remove',
  'scheduler-k3s:initialize',
  'scheduler-k3s:uninstall',
]);
