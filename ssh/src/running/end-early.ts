export type EndReason = 'timeout' | 'cancelled' | 'output_limit';

/** The reason with which a command's signal fires when it is to be ended before its time. Never leaves this room. */
export class EndEarly extends Error {
  override readonly cause: EndReason;
  /** Nothing of the command runs on the server (any more). */
  readonly remoteEnded: boolean;

  constructor(cause: EndReason, remoteEnded: boolean) {
    super(cause);
    this.cause = cause;
    this.remoteEnded = remoteEnded;
  }
}

/** How long, once a command is to end, its channel may take to open or close, and its launcher to name the process. */
export const graceMs = 5_000;
