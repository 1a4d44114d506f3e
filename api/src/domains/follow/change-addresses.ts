import type { LeavingRecord } from '@homeport/contract/domains/schema';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import { asPerson, type DomainDeps, findAccount } from '../account.ts';
import { inGroups, namesOf } from '../remove-orphaned.ts';
import { type Fate, leadRecords } from './lead-records.ts';
import { findTarget, type Target } from './names-through.ts';

type Change = {
  chosen: readonly LeavingRecord[];
  /** Where they led when they were chosen. */
  former: readonly string[];
  to: { ip: string; port: number };
};

/** Changes the chosen records that still lead to a former address. A refusal of Cloudflare's is a warning: the server has moved already. */
export type ChangeAddresses = (
  context: Pick<StepContext<unknown>, 'owner' | 'signal'>,
  change: Change,
) => Promise<StepOutcome>;

export function addressChanger(deps: DomainDeps): ChangeAddresses {
  return async ({ owner, signal }, change) => {
    const fates = new Map<string, Fate>();
    const { chosen, to } = change;
    if (!(await deps.store.read(owner, findAccount)))
      refuse(fates, chosen, 'No Cloudflare account is linked any more.');
    else await leadAll(deps, owner, { ...change, signal }, fates);
    return outcomeOf(chosen, fates, to.ip);
  };
}

async function leadAll(
  deps: DomainDeps,
  owner: Owner,
  { chosen, former, to, signal }: Change & { signal: AbortSignal },
  fates: Map<string, Fate>,
): Promise<void> {
  const target = await asPerson(deps, owner, { doing: 'reading', signal }, (asker) =>
    findTarget(deps, owner, to, asker),
  ).catch((error: unknown) => whyNot(error, signal));
  if (!isTarget(target)) {
    const why = `${to.ip} has no address in DNS now, or could not be looked up.`;
    refuse(fates, chosen, target?.message ?? why);
    return;
  }
  let last: ProblemError | null = null;
  for (const { zone, records } of inGroups(chosen)) {
    if (last === null) {
      const leading = { chosen: records, former, to: to.ip, target, signal };
      const failed = await leadRecords(deps, owner, zone, leading, (id, fate) => fates.set(id, fate)).then(
        () => null,
        (error: unknown) => whyNot(error, signal),
      );
      if (failed) refuse(fates, records, failed.message);
      if (failed && isForAll(failed)) last = failed;
    } else refuse(fates, records, last.message);
  }
}

const isTarget = (found: Target | ProblemError | null): found is Target =>
  found !== null && !(found instanceof ProblemError);

/** Cloudflare that does not answer in one zone is not asked about the next ones. */
const isForAll = ({ code }: ProblemError) => code === 'unavailable' || code === 'too_many';

/** The problem that stopped the work, unless the operation itself was ended. */
function whyNot(error: unknown, signal: AbortSignal): ProblemError {
  signal.throwIfAborted();
  if (error instanceof ProblemError) return error;
  throw error;
}

function refuse(fates: Map<string, Fate>, records: readonly LeavingRecord[], message: string): void {
  // Of each record, the note says whether it was changed.
  const why = message.replaceAll(' Nothing was changed.', '');
  for (const { record } of records) if (!fates.has(record)) fates.set(record, { kind: 'refused', why });
}

function outcomeOf(
  chosen: readonly LeavingRecord[],
  fates: ReadonlyMap<string, Fate>,
  to: string,
): StepOutcome {
  const withFate = (kind: Fate['kind'] | undefined) =>
    chosen.filter(({ record }) => fates.get(record)?.kind === kind);
  const changed = withFate('changed');
  const kept = withFate('kept');
  const gone = withFate(undefined);
  const refused = byReason(chosen, fates);
  const left = [...refused.values()].flat();
  const page = left.length === 1 ? 'it on the page of its domain' : 'them on the pages of their domains';
  const note = [
    changed.length > 0 ? `Changed to ${to} at Cloudflare: ${namesOf(changed)}.` : '',
    ...[...refused].map(([why, records]) => `Not changed at Cloudflare: ${namesOf(records)}. ${why}`),
    left.length > 0 ? `Change ${page}.` : '',
    kept.length > 0 ? `Left, because ${to} leads there or through them: ${namesOf(kept)}.` : '',
    gone.length > 0 ? `No longer there, or leading elsewhere by now: ${namesOf(gone)}.` : '',
  ].filter((part) => part !== '');
  const state = left.length > 0 ? 'warned' : changed.length > 0 ? 'done' : 'skipped';
  return { state, note: note.join(' ') };
}

function byReason(
  chosen: readonly LeavingRecord[],
  fates: ReadonlyMap<string, Fate>,
): Map<string, LeavingRecord[]> {
  const reasons = new Map<string, LeavingRecord[]>();
  for (const each of chosen) {
    const fate = fates.get(each.record);
    if (fate?.kind === 'refused') reasons.set(fate.why, [...(reasons.get(fate.why) ?? []), each]);
  }
  return reasons;
}
