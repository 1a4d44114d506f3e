import { uptimeRules } from '@homeport/contract/uptime/facts';
import type { Standing } from '@homeport/contract/uptime/health';

/** A check's finding about its app. `nothing` when the console could not tell. */
export type Verdict = 'up' | 'down' | 'nothing';

export type Judged = {
  standing: Standing;
  /** The app is down from now on, since the first check that found it down. */
  wentDownAt: number | null;
  /** The app is up again, since the first check that found it up. */
  cameUpAt: number | null;
  /** Whether to check again soon, because one check decides nothing. */
  soon: boolean;
};

/**
 * The standing after one more check. A confirmed state holds until enough checks in a row find the opposite. An app is up from its
 * first good check. An app that was never deployed is not down.
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
