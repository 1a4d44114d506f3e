import { type CheckMode, isRetireTime } from '@homeport/contract/apps/checks/facts';
import type { AppChecks } from '@homeport/contract/apps/checks/schema';
import type { RouteInput } from '../../../data/route-types.ts';

export type ChecksDraft = {
  /** The chosen modes of types that were touched. */
  modes: ReadonlyMap<string, CheckMode>;
  /** The typed time; null: untouched. */
  retire: string | null;
};
export const untouched: ChecksDraft = { modes: new Map(), retire: null };

type Body = RouteInput<'POST /api/apps/:id/checks'>['body'];

/** The change that a draft asks for; null: none. `wrong`: the typed time is none. */
export function changeOf(checks: AppChecks, draft: ChecksDraft): { body: Body | null; wrong: boolean } {
  const modes = checks.types.flatMap(({ type, mode: from }) => {
    const to = draft.modes.get(type) ?? from;
    return to === from ? [] : [{ type, from, to }];
  });
  const typed = draft.retire?.trim() ?? null;
  const to = typed === null ? checks.retireSeconds : /^\d{1,5}$/.test(typed) ? Number(typed) : Number.NaN;
  const wrong = to !== null && typed !== null && !isRetireTime(to);
  const isNew = typed !== null && to !== null && to !== checks.retireSeconds;
  const retireSeconds = isNew ? { from: checks.retireSeconds, to } : undefined;
  if (wrong || (modes.length === 0 && !retireSeconds)) return { body: null, wrong };
  return { body: { modes, ...(retireSeconds ? { retireSeconds } : {}) }, wrong };
}
