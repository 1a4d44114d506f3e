import type { Console } from '../console/ask-console.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { TokenUse } from '../sign-in/kept-sign-in.ts';
import type { Terminal } from '../terminal.ts';

export interface Argument {
  name: string;
  /** What stands for it where it is not given: a variable, or a question. Absent: it has to be given. */
  orElse?: string;
  /** The only values. */
  oneOf?: readonly string[];
}

export interface Flag {
  /** Without the dashes. */
  name: string;
  /** One letter, for `-f` in place of `--follow`. */
  short?: string;
  /** The name of its value. Absent: the flag is a switch. */
  value?: string;
  purpose: string;
}

/** What a command line holds beside the command's words. */
export interface Given {
  /** By the names of the command's arguments. */
  args: Readonly<Record<string, string | undefined>>;
  flags: Readonly<Record<string, string | true | undefined>>;
}

export interface Run extends Given {
  terminal: Terminal;
  /** Print JSON. */
  json: boolean;
  /** The chosen console, with its token: the terminal’s own, or the one of a coding agent. */
  signIn(as?: TokenUse): Promise<Console & { token: string }>;
}

/** One line of the table that makes the command line, its help, docs/cli.md, the completion and a part of the tests. */
export interface Command {
  words: readonly [string, ...string[]];
  args?: readonly Argument[];
  flags?: readonly Flag[];
  summary: string;
  /** What `--json` prints. */
  json: string;
  /** It talks to a console. */
  asksConsole: boolean;
  /** It has no end of its own: a reader that has read enough, as with `| head`, is a good end. */
  endsWithReader?: true;
  run(run: Run): Promise<ExitCode>;
}

/** The flags of every command. */
export const usualFlags: readonly Flag[] = [
  { name: 'json', purpose: 'Prints JSON.' },
  { name: 'help', short: 'h', purpose: 'Prints what the command does.' },
];

export const plainHttpFlag: Flag = {
  name: 'plain-http',
  purpose: 'Allows http to another machine. Everybody in between can read the token.',
};

export const flagsOf = ({ flags = [], asksConsole }: Command): readonly Flag[] => [
  ...flags,
  ...(asksConsole ? [plainHttpFlag] : []),
  ...usualFlags,
];

/** `--lines N, -n N` */
export function flagText({ name, short, value }: Flag): string {
  const after = value === undefined ? '' : ` ${value}`;
  return short === undefined ? `--${name}${after}` : `--${name}${after}, -${short}${after}`;
}

/** `op watch ID`, `login [ADDRESS]` */
export const usageOf = ({ words, args = [] }: Command): string =>
  [...words, ...args.map(({ name, orElse }) => (orElse === undefined ? name : `[${name}]`))].join(' ');
