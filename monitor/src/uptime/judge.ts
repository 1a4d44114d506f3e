import { uptimeRules } from '@homeport/contract/uptime/facts';
import type { Standing } from '@homeport/store';

/** What a check says of its app; `nothing` where the console could not find out. */
export type Verdict = 'up' | 'down' | 'nothing';

export type Judged = {
  standing: Standing;
  /** The app is down from now on, since the first check that found it so. */
  wentDownAt: number | null;
  /** It is up again, since the first check that found it so. */
  cameUpAt: number | null;
  /** Whether to look again soon, because one check decides nothing. */
  soon: boolean;
};

/**
 * What follows from one more check. What is known holds until as many checks in a row say the opposite; an app is up from
 * the first check that finds it so, and one that nobody deployed yet is not down.
 */
export function judge(
  before: Standing,
  verdict: Verdict,
  { at, deployed }: { at: number; deployed: boolean },
): Judged {
  if (verdict === 'nothing') {
    const standing = { ...before, unknownSince: before.unknownSince ?? at };
    return settled(standing);
  }
  const known: Standing = { ...before, unknownSince: null };
  if (verdict === known.confirmed) return settled({ ...known, against: 0, turnedAt: null });
  if (known.confirmed === null && verdict === 'up')
    return settled({ ...known, confirmed: 'up', confirmedAt: at, against: 0, turnedAt: null });

  if (known.confirmed === null && !deployed) return settled({ ...known, against: 0, turnedAt: null });
  const turnedAt = known.against === 0 ? at : (known.turnedAt ?? at);
  const against = known.against + 1;
  if (against < uptimeRules.confirmations) return { ...settled({ ...known, against, turnedAt }), soon: true };
  return {
    standing: { ...known, confirmed: verdict, confirmedAt: turnedAt, against: 0, turnedAt: null },
    wentDownAt: verdict === 'down' ? turnedAt : null,
    cameUpAt: verdict === 'up' ? turnedAt : null,
    soon: false,
  };
}

function settled(standing: Standing): Judged {
  return { standing, wentDownAt: null, cameUpAt: null, soon: false };
}
