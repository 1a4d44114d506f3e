import { quoteArgv } from '@homeport/contract/quoting';
import {
  type Account,
  argvFor,
  type Command,
  failureOf,
  NeedsRootError,
  type Outcome,
  runsAs,
  service,
  wayToEnd,
} from '@homeport/dokku';
import { CommandError, type CommandOptions, type CommandResult } from '@homeport/ssh';
import { ProblemError } from '../http/problem.ts';
import { failureSentence } from './failure-sentence.ts';

/** The part of a live connection that this room needs; `ssh/` has it. Rejects with `CommandError`. */
export type RemoteConnection = {
  exec(options: CommandOptions): Promise<CommandResult>;
  /** Changes when the server is restarted. Null if the server does not report it. */
  readonly bootId: string | null;
  readonly facts: { readonly hostKeyType: string; readonly hostKeyBlob: string };
};

export type RunOptions = {
  deadlineMs?: number;
  /** Exit codes, or ends beside 0, that are answers and not failures. `any`: the caller judges. */
  accept?: readonly number[] | 'any' | ((outcome: Outcome) => boolean);
  /** Keeps output out of the log that is only noise, or secret. `answer`: stdout is for the console, and stderr for people. */
  quiet?: boolean | 'answer';
  /** The text that the page shows in place of a long program. */
  shown?: string;
  maxOutputBytes?: number;
  /**
   * Called when there is a connection and a free channel, right before the server gets the command. If it rejects, the server does not
   * get the command, and the list of commands that ran does not name it.
   */
  before?: () => Promise<void>;
  /** The command's input in pieces, which the server pulls. If it fails, the command is ended and sees no whole input. */
  pieces?: AsyncIterable<Uint8Array>;
};

/**
 * A command as it ran, for people who ask to see it. No argv holds a secret, so the text is the whole
 * command.
 */
export type CommandRecord = {
  account: string;
  command: string;
  exitCode: number | null;
  startedAt: number;
  durationMs: number;
};

export type CommandListener = {
  /** The server waits for a returned promise. */
  onOutput?: (stream: 'out' | 'err', text: string) => void | Promise<void>;
  onRan?: (record: CommandRecord) => void;
};

export type Ran = { exitCode: number; stdout: string; stderr: string; record: CommandRecord };

/** Runs a command of one piece of work: on its connection, as its account. */
export type Run = (command: Command, options?: RunOptions) => Promise<Ran>;

const defaultDeadlineMs = 60_000;
const outputTailCharacters = 4_000;

/**
 * Runs one command as the account, and reports the command however it ended. Throws `remote_failed` (with
 * exit code and the tail of the output) for an exit code that is not accepted, and `CommandError` if there
 * was no exit code.
 */
export async function runCommand(
  connection: RemoteConnection,
  account: Account,
  command: Command,
  options: RunOptions,
  signal: AbortSignal,
  listener: CommandListener = {},
): Promise<Ran> {
  const argv = argvOf(account, command);
  const startedAt = Date.now();
  const record: CommandRecord = {
    account: runsAs(account, command),
    command: options.shown ?? quoteArgv(argv),
    exitCode: null,
    startedAt,
    durationMs: 0,
  };
  const { onOutput } = listener;
  const { before } = options;
  let refused = false;
  try {
    const result = await connection.exec({
      argv,
      signal,
      deadlineMs: options.deadlineMs ?? defaultDeadlineMs,
      wayToEnd: wayToEnd(account),
      whenTooLong: 'keep_newest',
      ...(options.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.maxOutputBytes }),
      ...stdinOf(command, options),
      ...(before && {
        before: async () => {
          refused = true;
          await before();
          refused = false;
        },
      }),
      ...(onOutput && !options.quiet ? { onStdout: (text: string) => onOutput('out', text) } : {}),
      ...(onOutput && options.quiet !== true ? { onStderr: (text: string) => onOutput('err', text) } : {}),
    });
    // A command that a signal ended has no exit code. A shell reports 128 + n.
    record.exitCode = result.exitCode ?? 128;
    record.durationMs = result.durationMs;
    const ran = { exitCode: record.exitCode, stdout: result.stdout, stderr: result.stderr, record };
    if (!isAccepted(ran, options.accept ?? [0])) throw failed(ran, command, options.quiet === true);
    return ran;
  } finally {
    record.durationMs ||= Date.now() - startedAt;
    if (!refused) listener.onRan?.(record);
  }
}

function stdinOf({ stdin }: Command, { pieces }: RunOptions): Pick<CommandOptions, 'stdin'> {
  if (pieces) return { stdin: pieces };
  return stdin === undefined ? {} : { stdin };
}

function isAccepted(ran: Ran, accept: NonNullable<RunOptions['accept']>): boolean {
  if (typeof accept === 'function') return ran.exitCode === 0 || accept(ran);
  return accept === 'any' || accept.includes(ran.exitCode);
}

function argvOf(account: Account, command: Command): readonly string[] {
  try {
    return argvFor(account, command);
  } catch (error) {
    if (!(error instanceof NeedsRootError)) throw error;
    throw new ProblemError('not_allowed', error.message, {
      recovery: 'Link the server with an account that is root or may use sudo without a password.',
    });
  }
}

function failed(ran: Ran, command: Command, quiet: boolean): ProblemError {
  const failure = failureOf(ran, command);
  const output = quiet ? '' : tailOf(ran);
  const sentence = failure ? failureSentence(failure) : `The command ended with exit code ${ran.exitCode}.`;
  return new ProblemError('remote_failed', sentence, {
    remote: {
      command: ran.record.command,
      account: ran.record.account,
      exitCode: ran.exitCode,
      outputTail: output,
    },
  });
}

/** The end of a command’s output, for an error. Connection strings in it have no password. */
export const tailOf = ({ stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): string =>
  service.withoutSecrets(`${stdout}${stderr}`.trimEnd()).slice(-outputTailCharacters);

/** Turns a command without an exit code into a Problem for a person. Returns any other error unchanged. */
export function asProblem(error: unknown): unknown {
  return error instanceof CommandError ? problemOf(error) : error;
}

/** The Problem of a command without an exit code. */
export function problemOf(error: CommandError): ProblemError {
  const options = { cause: error };
  switch (error.failure.code) {
    case 'connection_required':
      return new ProblemError(
        'connection_required',
        'There is no open connection to this server.',
        {},
        options,
      );
    case 'connection_lost':
      return new ProblemError(
        'connection_lost',
        'The connection to the server was lost. The server may have finished the command.',
        {},
        options,
      );
    case 'timeout':
    case 'stalled':
      return new ProblemError('remote_timeout', error.message, {}, options);
    case 'too_many_waiting':
      return new ProblemError('too_many', error.message, {}, options);
    case 'cancelled':
    case 'output_limit':
    case 'channel_refused':
    case 'terminal_refused':
      return new ProblemError('remote_failed', error.message, {}, options);
  }
}
