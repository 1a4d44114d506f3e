import type { LeavingRecord } from '@homeport/contract/domains/schema';
import { ProblemError } from '../http/problem.ts';
import type { StepContext, StepOutcome } from '../operations/definition.ts';
import { type DomainDeps, findAccount } from './account.ts';
import { changeContents } from './records.ts';
import { inGroups, namesOf } from './remove-orphaned.ts';

type Change = {
  chosen: readonly LeavingRecord[];
  /** Where they led when they were chosen. */
  former: readonly string[];
  /** An address, or the name of a server. */
  to: string;
};

/** Changes the chosen records that still lead to a former address. A refusal of Cloudflare's is a warning: the server has moved already. */
export type ChangeAddresses = (
  context: Pick<StepContext<unknown>, 'owner'>,
  change: Change,
) => Promise<StepOutcome>;

export function addressChanger(deps: DomainDeps): ChangeAddresses {
  return async ({ owner }, { chosen, former, to }) => {
    const changed = new Set<string>();
    const isDone = ({ record }: LeavingRecord) => changed.has(record);
    const done = () => {
      const records = chosen.filter(isDone);
      return records.length > 0 ? `Changed to ${to} at Cloudflare: ${namesOf(records)}.` : '';
    };
    const left = () => chosen.filter((each) => !isDone(each));
    if (!(await deps.store.read(owner, findAccount)))
      return warned(done(), left(), 'No Cloudflare account is linked any more.');
    try {
      for (const { zone, records } of inGroups(chosen)) {
        const ids = records.map(({ record }) => record);
        await changeContents(deps, owner, zone, { ids, former, to }, (id) => changed.add(id));
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return warned(done(), left(), error.message);
    }
    const kept = left().length > 0 ? `No longer there, or leading elsewhere by now: ${namesOf(left())}.` : '';
    const note = [done(), kept].filter((part) => part !== '').join(' ');
    return changed.size > 0 ? { note } : { state: 'skipped', note };
  };
}

function warned(done: string, left: readonly LeavingRecord[], why: string): StepOutcome {
  const page = left.length === 1 ? 'it on the page of its domain' : 'them on the pages of their domains';
  const note = `Not changed at Cloudflare: ${namesOf(left)}. ${why} Change ${page}.`;
  return { state: 'warned', note: [done, note].filter((part) => part !== '').join(' ') };
}
