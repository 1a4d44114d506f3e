export type EndReason = 'timeout' | 'stalled' | 'cancelled' | 'output_limit';

/** The reason of a command's signal when the command has to end early. Never leaves this room. */
export class EndEarly extends Error {
  override readonly cause: EndReason;
  /** True when no process of the command runs on the server. */
  readonly remoteEnded: boolean;

  constructor(cause: EndReason, remoteEnded: boolean) {
    super(cause);
    this.cause = cause;
    this.remoteEnded = remoteEnded;
  }
}

/** How long an ending command's channel may take to open or close, and its launcher to name the process. */
export const graceMs = 5_000;
