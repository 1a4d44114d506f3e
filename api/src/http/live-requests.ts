/** Requests that may last long, by session, so that the console can end them. */
export type LiveRequests = {
  /** Returns a signal for one request. `done` forgets the request. */
  open(sessionId: string | null): { signal: AbortSignal; abort: () => void; done: () => void };
  endSession(sessionId: string): void;
  endAll(): void;
  /** The sessions that have open requests. */
  sessionIds(): string[];
};

/** The abort reason of a signal whose session has ended. */
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
