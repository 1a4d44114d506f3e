/** A busy server ends what a terminal left within this time. */
const partingMs = 10_000;

/** What sessions still have to end at their servers when they are over. */
export type Parting = {
  /** The session's connections outlive it until the returned function is called, or for some seconds. */
  hold(sessionId: string): () => void;
  /** Calls `close` when nothing is held: at once, or when the last holder is done, or after some seconds. */
  whenDone(sessionId: string, close: () => void): void;
  /** Resolves when no session holds anything, or after some seconds. */
  allDone(): Promise<void>;
};

export function createParting(mostMs = partingMs): Parting {
  const held = new Map<string, number>();
  const closing = new Map<string, () => void>();
  let onEmpty = () => {};
  const close = (sessionId: string) => {
    const last = closing.get(sessionId);
    closing.delete(sessionId);
    last?.();
  };
  return {
    hold(sessionId) {
      held.set(sessionId, (held.get(sessionId) ?? 0) + 1);
      let isDone = false;
      return () => {
        if (isDone) return;
        isDone = true;
        const others = (held.get(sessionId) ?? 1) - 1;
        if (others > 0) {
          held.set(sessionId, others);
          return;
        }
        held.delete(sessionId);
        close(sessionId);
        if (held.size === 0) onEmpty();
      };
    },
    whenDone(sessionId, last) {
      if (!held.has(sessionId)) return last();
      if (closing.has(sessionId)) return;
      closing.set(sessionId, last);
      setTimeout(() => close(sessionId), mostMs).unref();
    },
    async allDone() {
      if (held.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, mostMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
