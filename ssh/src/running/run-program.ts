import type { CommandOptions } from './run-command.ts';

export type ProgramOptions = Omit<CommandOptions, 'argv'> & {
  /** A POSIX sh program. It holds no user value: user values come as `args` ("$1", "$2") or over stdin. */
  script: string;
  args?: readonly string[];
};

/**
 * A program of several commands as one command: `sh -c <script> homeport <args>`. The text goes as one quoted word and not
 * through stdin (`sh -s`), because dash reads ahead on stdin and would eat the program's input. So stdin belongs to the program
 * alone and can carry secrets. At most 120 kB with its arguments.
 */
export function programCommand({ script, args = [], ...rest }: ProgramOptions): CommandOptions {
  return { ...rest, argv: ['sh', '-c', script, 'homeport', ...args] };
}
