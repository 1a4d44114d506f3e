import type { ErrorCode } from '@homeport/contract/problems/facts';

/** Counts the posts of each server with a known token, over both routes for agents. */
export type PostCeiling = {
  /** Counts a post and returns 0, or returns the seconds to wait. */
  take(tokenHash: string): number;
};

/**
 * An agent posts once in three minutes. After an outage it sends 480 reports in 10 posts, and a few more posts when it narrows
 * down to a refused report. The address does not count, because many servers may share an address behind a NAT.
 */
export const postsAMinute = 20;
/** As many servers as the monitor holds in memory. */
const tokensInMemory = 50_000;
const windowMs = 60_000;

export const tooManyPosts: [ErrorCode, string] = ['too_many', 'This server posts too often.'];

/** Counts in memory, for each process. A post costs one look into a map. */
export function createPostCeiling(clock: () => number, most = tokensInMemory): PostCeiling {
  const windows = new Map<string, { count: number; until: number }>();
  return {
    take(tokenHash) {
      const now = clock();
      const window = windows.get(tokenHash);
      if (window === undefined) {
        if (windows.size >= most) windows.delete(windows.keys().next().value ?? '');
        windows.set(tokenHash, { count: 1, until: now + windowMs });
        return 0;
      }
      // A clock that was set back must not refuse a server for longer than a window.
      if (window.until <= now || window.until > now + windowMs) {
        window.count = 0;
        window.until = now + windowMs;
      }
      if (window.count >= postsAMinute) return Math.ceil((window.until - now) / 1000);
      window.count += 1;
      return 0;
    },
  };
}
