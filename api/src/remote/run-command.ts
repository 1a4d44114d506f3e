import { quoteArgv } from '@homeport/contract/quoting';
import { ProblemError } from '../http/problem.ts';

/** A command for a linked server: what to run, as whom, and how long it may take. Secrets only ever in `stdin`. */
export type RemoteCommand = {
  argv: readonly string[];
  /** The account on the server that it runs under, as the page names it. */
  account: string;
  stdin?: string | Buffer;
  deadlineMs?: number;
  /** Exit codes that are answers, not failures. `any`: the caller judges. */
  accept?: readonly number[] | 'any';
  /** True for commands whose output would only be noise, or secret, in a log. */
  quiet?: boolean;
  /** What the page shows instead of the argv, for a program that is sent over stdin. */
  shown?: string;
};

export type CommandResult = {
  exitCode: number;
  stdout: string;
  stderr: string;
  startedAt: number;
  durationMs: number;
};

export type ExecRequest = {
  argv: readonly string[];
  stdin?: string | Buffer;
  deadlineMs: number;
  signal: AbortSignal;
  onStdout?: (text: string) => void;
  onStderr?: (text: string) => void;
  maxOutputBytes?: number;
};

/** What this room needs of a live connection; `ssh/` provides it. It throws `RemoteFault`. */
export type RemoteConnection = {
  exec(request: ExecRequest): Promise<CommandResult>;
};

/** A command that came to no exit code. `lost`: the connection ended; whether the command did anything is unknown. */
export class RemoteFault extends Error {
  readonly reason: 'lost' | 'timeout' | 'cancelled' | 'output_limit' | 'refused';
  constructor(reason: RemoteFault['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RemoteFault';
    this.reason = reason;
  }
}

export type CommandRecord = {
  account: string;
  command: string;
  exitCode: number | null;
  startedAt: number;
  durationMs: number;
};

export type CommandListener = {
  onOutput?: (stream: 'out' | 'err', text: string) => void;
  onRan?: (record: CommandRecord) => void;
};

const defaultDeadlineMs = 60_000;
const outputTailCharacters = 4_000;

export const commandText = (command: RemoteCommand) => command.shown ?? quoteArgv(command.argv);

/**
 * Runs one command and reports it whatever its end. Throws `remote_failed` (with exit code and the tail of the output) for
 * an exit code that the command does not accept, and `RemoteFault` where there was none.
 */
export async function runCommand(
  connection: RemoteConnection,
  command: RemoteCommand,
  signal: AbortSignal,
  listener: CommandListener = {},
): Promise<CommandResult> {
  const startedAt = Date.now();
  const shown = commandText(command);
  const record = (exitCode: number | null, durationMs: number) =>
    listener.onRan?.({ account: command.account, command: shown, exitCode, startedAt, durationMs });
  const loud = !command.quiet && listener.onOutput;
  try {
    const result = await connection.exec({
      argv: command.argv,
      ...(command.stdin === undefined ? {} : { stdin: command.stdin }),
      deadlineMs: command.deadlineMs ?? defaultDeadlineMs,
      signal,
      ...(loud ? { onStdout: (text) => loud('out', text), onStderr: (text) => loud('err', text) } : {}),
    });
    record(result.exitCode, result.durationMs);
    if (command.accept !== 'any' && !(command.accept ?? [0]).includes(result.exitCode))
      throw failed(command, shown, result);
    return result;
  } catch (error) {
    if (!(error instanceof ProblemError)) record(null, Date.now() - startedAt);
    throw error;
  }
}

function failed(command: RemoteCommand, shown: string, result: CommandResult): ProblemError {
  const output = command.quiet ? '' : `${result.stdout}${result.stderr}`.trimEnd();
  return new ProblemError('remote_failed', `The command ended with exit code ${result.exitCode}.`, {
    remote: {
      command: shown,
      account: command.account,
      exitCode: result.exitCode,
      outputTail: output.slice(-outputTailCharacters),
    },
  });
}

/** What a fault means to a person, for requests that have no operation to fall back on. */
export function problemOfFault(fault: RemoteFault): ProblemError {
  switch (fault.reason) {
    case 'lost':
      return new ProblemError(
        'connection_lost',
        'The connection to the server was lost. The server may have finished the command.',
        {},
        { cause: fault },
      );
    case 'timeout':
      return new ProblemError(
        'remote_timeout',
        'The server did not finish the command in time.',
        {},
        { cause: fault },
      );
    default:
      return new ProblemError('remote_failed', fault.message, {}, { cause: fault });
  }
}
