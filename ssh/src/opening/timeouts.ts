/** How long each part of an opening may take, in milliseconds. */
export type Timeouts = {
  tcp: number;
  /** From our question to the page until its signature. */
  sign: number;
  /** From our question to the person until the answer. */
  prompt: number;
  /** The whole handshake with a key. */
  ready: number;
  /** The whole handshake with questions; sshd itself hangs up at LoginGraceTime, 120 s. */
  readyWithPrompt: number;
  /** A silent peer is given up after (count + 1) intervals. */
  keepaliveInterval: number;
  keepaliveCount: number;
};

export const defaultTimeouts: Timeouts = {
  tcp: 10_000,
  sign: 10_000,
  prompt: 90_000,
  ready: 20_000,
  readyWithPrompt: 100_000,
  keepaliveInterval: 15_000,
  keepaliveCount: 3,
};

/**
 * Settles as `work` does, or rejects with `late()` after `ms`. `work` gets a signal that fires when the time is over or when the
 * outer signal fires.
 */
export async function within<T>(
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  late: () => Error,
): Promise<T> {
  outer.throwIfAborted();
  const inner = new AbortController();
  let reject: (reason: unknown) => void = () => {};
  const stopped = new Promise<never>((_, rejected) => {
    reject = rejected;
  });
  const stop = (reason: unknown) => {
    inner.abort(reason);
    reject(reason);
  };
  const onOuter = () => stop(outer.reason);
  outer.addEventListener('abort', onOuter, { once: true });
  const timer = setTimeout(() => stop(late()), ms);
  try {
    return await Promise.race([work(inner.signal), stopped]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', onOuter);
  }
}
