/** Requests that may go on for long, by session, so that they can be ended from our side. */
export type LiveRequests = {
  /** A signal for one request; `done` forgets it. */
  open(sessionId: string | null): { signal: AbortSignal; abort: () => void; done: () => void };
  endSession(sessionId: string): void;
  endAll(): void;
  /** The sessions that have something open. */
  sessionIds(): string[];
};

/** The reason of a signal that aborted because the session is over. */
export const sessionEnded = Symbol('the session has ended');

export function createLiveRequests(): LiveRequests {
  const open = new Map<AbortController, string | null>();
  const end = (matches: (sessionId: string | null) => boolean, reason?: symbol) => {
    for (const [controller, sessionId] of [...open]) if (matches(sessionId)) controller.abort(reason);
  };
  return {
    open(sessionId) {
      const controller = new AbortController();
      open.set(controller, sessionId);
      return {
        signal: controller.signal,
        abort: () => controller.abort(),
        done: () => open.delete(controller),
      };
    },
    endSession: (ended) => end((sessionId) => sessionId === ended, sessionEnded),
    endAll: () => end(() => true),
    sessionIds: () => [...new Set(open.values())].filter((sessionId) => sessionId !== null),
  };
}
