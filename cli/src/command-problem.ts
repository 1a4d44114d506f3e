import type { ExitCode } from './exit-codes.ts';

type Parts = {
  /** The way out, for the person. */
  recovery: string;
  /** The api's own answer, which `--json` prints unchanged. */
  answer?: string;
  /** The api's code, also one that this program does not know. */
  code?: string;
  /** The console could not be reached now, and may be in a moment. */
  passes?: boolean;
};

/** Ends a command: what failed, the way out, and the exit code. The text may be a stranger's and is cleaned when it is printed. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
  readonly exit: ExitCode;
  readonly recovery: string;
  readonly answer: string | undefined;
  readonly code: string | undefined;
  readonly passes: boolean;

  constructor(exit: ExitCode, message: string, { recovery, answer, code, passes = false }: Parts) {
    super(message);
    this.exit = exit;
    this.recovery = recovery;
    this.answer = answer;
    this.code = code;
    this.passes = passes;
  }
}
