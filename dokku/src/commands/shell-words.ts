import { z } from 'zod';

/** Names one terminal in the variables of all that it starts, so that all of it can be ended by name. */
export const terminalMarkSchema = z
  .string()
  .regex(/^[a-f0-9]{18}$/)
  .brand<'TerminalMark'>();
export type TerminalMark = z.output<typeof terminalMarkSchema>;

/** The variable, as it stands in /proc/<pid>/environ (proc_pid_environ(5)). */
export const markVariable = (mark: TerminalMark): string => `HOMEPORT_TERMINAL=${mark}`;

/** The words of a shell for a terminal, in any container. Without a mark: the one that ends what another left. */
export const shellWords = (mark: TerminalMark | null): string[] => [
  ...['env', 'TERM=xterm-256color'],
  ...(mark === null ? [] : [markVariable(mark)]),
  'sh',
];
