import type { CommandOptions } from './run-command.ts';

export type ProgramOptions = Omit<CommandOptions, 'argv'> & {
  /** A POSIX sh program. It holds no user value: those come as `args` ("$1", "$2") or over stdin. */
  script: string;
  args?: readonly string[];
};

/**
 * A program of several commands as one command: `sh -c <script> homeport <args>`. The text goes as one quoted word and
 * not through stdin (`sh -s`), because dash reads ahead there and would eat what is meant for the program; so stdin
 * belongs to the program alone and can carry secrets. At most 120 kB with its arguments.
 */
export function programCommand({ script, args = [], ...rest }: ProgramOptions): CommandOptions {
  return { ...rest, argv: ['sh', '-c', script, 'homeport', ...args] };
}
