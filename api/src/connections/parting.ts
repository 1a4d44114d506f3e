/** A busy server ends what a terminal left within this time. */
const partingMs = 10_000;

/** What a session still has to end at its servers when it is over. */
export type Parting = {
  /** The session's connections outlive it until the returned function is called, or for some seconds. */
  hold(sessionId: string): () => void;
  /** Calls `close` when nothing is held: at once, or when the last holder is done, or after some seconds. */
  whenDone(sessionId: string, close: () => void): void;
};

export function createParting(mostMs = partingMs): Parting {
  const held = new Map<string, number>();
  const closing = new Map<string, () => void>();
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
      };
    },
    whenDone(sessionId, last) {
      if (!held.has(sessionId)) return last();
      if (closing.has(sessionId)) return;
      closing.set(sessionId, last);
      setTimeout(() => close(sessionId), mostMs).unref();
    },
  };
}
