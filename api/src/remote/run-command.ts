import { quoteArgv } from '@homeport/contract/quoting';
import {
  type Account,
  argvFor,
  type Command,
  failureOf,
  NeedsRootError,
  type Outcome,
  runsAs,
} from '@homeport/dokku';
import { CommandError, type CommandOptions, type CommandResult } from '@homeport/ssh';
import { ProblemError } from '../http/problem.ts';
import { failureSentence } from './failure-sentence.ts';

/** What this room needs of a live connection (`ssh/` has it). Rejects with `CommandError`. */
export type RemoteConnection = {
  exec(options: CommandOptions): Promise<CommandResult>;
  /** Another one than before: the server was started anew in between. Null where it does not tell. */
  readonly bootId: string | null;
};

export type RunOptions = {
  deadlineMs?: number;
  /** Exit codes, or ends beside 0, that are answers, not failures. `any`: the caller judges. */
  accept?: readonly number[] | 'any' | ((outcome: Outcome) => boolean);
  /** For commands whose output would only be noise, or secret, in a log. */
  quiet?: boolean;
  /** What the page shows in place of the argv, for a program whose text is long. */
  shown?: string;
  maxOutputBytes?: number;
};

/** What ran, for whoever asks to see it. No secret stands in an argv, so the text is the whole command. */
export type CommandRecord = {
  account: string;
  command: string;
  exitCode: number | null;
  startedAt: number;
  durationMs: number;
};

export type CommandListener = {
  /** The server waits for a promise that is returned. */
  onOutput?: (stream: 'out' | 'err', text: string) => void | Promise<void>;
  onRan?: (record: CommandRecord) => void;
};

export type Ran = { exitCode: number; stdout: string; stderr: string; record: CommandRecord };

const defaultDeadlineMs = 60_000;
const outputTailCharacters = 4_000;

/**
 * Runs one command as the account and reports it whatever its end. Throws `remote_failed` (with exit code and the tail of
 * the output) for an exit code that is not accepted, and `CommandError` where there was none.
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
  try {
    const result = await connection.exec({
      argv,
      signal,
      deadlineMs: options.deadlineMs ?? defaultDeadlineMs,
      whenTooLong: 'keep_newest',
      ...(options.maxOutputBytes === undefined ? {} : { maxOutputBytes: options.maxOutputBytes }),
      ...(command.stdin === undefined ? {} : { stdin: command.stdin }),
      ...(onOutput && !options.quiet
        ? {
            onStdout: (text: string) => onOutput('out', text),
            onStderr: (text: string) => onOutput('err', text),
          }
        : {}),
    });
    // A command that a signal ended has no exit code; 128 + n is how a shell would tell it.
    record.exitCode = result.exitCode ?? 128;
    record.durationMs = result.durationMs;
    const ran = { exitCode: record.exitCode, stdout: result.stdout, stderr: result.stderr, record };
    if (!isAccepted(ran, options.accept ?? [0])) throw failed(ran, options.quiet ?? false);
    return ran;
  } finally {
    record.durationMs ||= Date.now() - startedAt;
    listener.onRan?.(record);
  }
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

function failed(ran: Ran, quiet: boolean): ProblemError {
  const failure = failureOf(ran);
  const output = quiet ? '' : `${ran.stdout}${ran.stderr}`.trimEnd();
  const sentence = failure ? failureSentence(failure) : `The command ended with exit code ${ran.exitCode}.`;
  return new ProblemError('remote_failed', sentence, {
    remote: {
      command: ran.record.command,
      account: ran.record.account,
      exitCode: ran.exitCode,
      outputTail: output.slice(-outputTailCharacters),
    },
  });
}

/** The error as a person reads it: a command without an exit code becomes a problem, any other error stays as it is. */
export function asProblem(error: unknown): unknown {
  return error instanceof CommandError ? problemOf(error) : error;
}

/** What a command without an exit code means to a person. */
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
      return new ProblemError('remote_timeout', error.message, {}, options);
    case 'cancelled':
    case 'output_limit':
    case 'channel_refused':
      return new ProblemError('remote_failed', error.message, {}, options);
  }
}
