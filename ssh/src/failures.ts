import type { OpeningFailureCode } from '@homeport/contract/connections/facts';

/** Why an opening failed. `message` is written for the person who asked, and never holds a credential. */
export type OpeningFailure = {
  code: OpeningFailureCode;
  message: string;
  /** The login methods that the server still offered, by their names on the wire (RFC 4252, 5.1). */
  methodsLeft?: string[];
  fingerprints?: { pinned: string; presented: string };
  /** With `fingerprints`: the address at which the name of the server was answered. */
  address?: string;
};

export class OpeningError extends Error {
  override readonly name = 'OpeningError';
  readonly failure: OpeningFailure;

  constructor(failure: OpeningFailure, cause?: unknown) {
    super(failure.message, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

/**
 * Why a remote command gave no exit code of its own. A command that ran to its end, with any code, is a result and not a
 * failure. `outputTail` is the last 4 kB of the command's output.
 */
export type CommandFailure =
  | { code: 'connection_required' }
  /** The connection or the channel closed before an exit code arrived. Nobody knows how far the command got. */
  | { code: 'connection_lost'; outputTail: string }
  | { code: 'channel_refused'; reason: string }
  /** The server gives this login no terminal, which a followed command needs. Nothing was started. */
  | { code: 'terminal_refused' }
  /** So many commands wait for this connection already. Nothing was started. */
  | { code: 'too_many_waiting'; most: number }
  | EndedEarly;

/** `remoteEnded`: true when the server confirmed that no process of the command is left; false when it gave no answer. */
export type EndedEarly = { outputTail: string; remoteEnded: boolean } & (
  | { code: 'timeout'; deadlineMs: number }
  /** No byte moved in either direction for so long. */
  | { code: 'stalled'; stallMs: number }
  | { code: 'cancelled' }
  | { code: 'output_limit'; maxOutputBytes: number }
);

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: CommandFailure;

  constructor(failure: CommandFailure, cause?: unknown) {
    super(sentenceOf(failure), cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

function sentenceOf(failure: CommandFailure): string {
  switch (failure.code) {
    case 'connection_required':
      return 'There is no connection to this server.';
    case 'connection_lost':
      return 'The connection was lost before the command reported its end.';
    case 'channel_refused':
      return `The server refused to start the command: ${failure.reason}.`;
    case 'terminal_refused':
      return 'The server gives this login no terminal.';
    case 'too_many_waiting':
      return `Nothing was started: ${failure.most} commands wait for this server already, which is the most for one connection. Try again when some of them have ended.`;
    case 'timeout':
      return `The command was ended at its deadline of ${failure.deadlineMs} ms.${leftBehind(failure)}`;
    case 'stalled':
      return `The command was ended, because no byte moved for ${failure.stallMs} ms.${leftBehind(failure)}`;
    case 'cancelled':
      return `The command was cancelled.${leftBehind(failure)}`;
    case 'output_limit':
      return `The command was ended: it printed more than ${failure.maxOutputBytes} bytes.${leftBehind(failure)}`;
  }
}

function leftBehind(failure: EndedEarly): string {
  return failure.remoteEnded ? '' : ' The server could not confirm that every process of the command ended.';
}
