import { recordsTogether } from '@homeport/contract/domains/facts';
import type { LeavingRecord, PointingRecords } from '@homeport/contract/domains/schema';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { Step, StepContext, StepOutcome } from '../operations/definition.ts';
import type { DomainDeps } from './account.ts';
import { toUnicode } from './names.ts';
import { recordsOfApp, recordsOfServer } from './pointing-records.ts';
import { removeRecords } from './records.ts';

/** What goes, and what its records point at until then. `name`: only this domain of the app goes. */
export type Leaving = { kind: 'app'; id: string; name?: string } | { kind: 'server'; id: string };

/** Removes the chosen records that still point at what goes. A refusal of Cloudflare's is a warning, because the rest is gone already. */
export type RemoveOrphaned = (
  context: Pick<StepContext<unknown>, 'owner' | 'signal'>,
  leaving: Leaving,
  chosen: readonly LeavingRecord[],
) => Promise<StepOutcome>;

/** The step of an operation that removes records at Cloudflare; none where no record was chosen. */
export function orphanedStep<Input>(
  remove: RemoveOrphaned,
  chosen: readonly LeavingRecord[],
  leaving: Leaving,
): Step<Input>[] {
  if (chosen.length === 0) return [];
  const title = chosen.length === 1 ? 'Remove its DNS record' : 'Remove its DNS records';
  return [{ key: 'dns', title, run: (context) => remove(context, leaving, chosen) }];
}

/**
 * Looks the records up again before it removes them: an operation may wait or be repeated, and a record that was pointed elsewhere
 * meanwhile stays. So the app or server still needs its row here.
 */
export function orphanedRemover(deps: DomainDeps): RemoveOrphaned {
  return async ({ owner, signal }, leaving, chosen) => {
    const removed: LeavingRecord[] = [];
    try {
      const { linked, records, unknownName } = await find(deps, owner, { leaving, chosen, signal });
      if (!linked) return stays(removed, chosen, 'No Cloudflare account is linked any more.');
      const pointing = new Set(records.map(({ record }) => record.id));
      const going = chosen.filter(({ record }) => pointing.has(record));
      for (const group of inGroups(going)) {
        await removeRecords(
          deps,
          owner,
          group.zone,
          group.records.map(({ record }) => record),
        );
        removed.push(...group.records);
      }
      // What was chosen by an address of the name is there, for all that anybody knows.
      if (unknownName !== null && removed.length < chosen.length)
        return stays(removed, chosen, `${unknownName} has no address in DNS now, or could not be looked up.`);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return stays(removed, chosen, error.message);
    }
    const others = chosen.filter((each) => !removed.includes(each));
    const kept =
      others.length > 0 ? ` No longer there, or pointing elsewhere by now: ${namesOf(others)}.` : '';
    return removed.length > 0
      ? { note: `Removed at Cloudflare: ${namesOf(removed)}.${kept}` }
      : { state: 'skipped', note: kept.trim() };
  };
}

type Search = { leaving: Leaving; chosen: readonly LeavingRecord[]; signal: AbortSignal };

function find(deps: DomainDeps, owner: Owner, { leaving, chosen, signal }: Search): Promise<PointingRecords> {
  if (leaving.kind === 'server')
    return recordsOfServer(deps, owner, leaving.id, signal, new Set(chosen.map(({ zone }) => zone)));
  return recordsOfApp(
    deps,
    owner,
    leaving.id,
    signal,
    leaving.name === undefined ? undefined : [leaving.name],
  );
}

function stays(
  removed: readonly LeavingRecord[],
  chosen: readonly LeavingRecord[],
  why: string,
): StepOutcome {
  const left = chosen.filter((each) => !removed.includes(each));
  const done = removed.length > 0 ? `Removed at Cloudflare: ${namesOf(removed)}. ` : '';
  const page = left.length === 1 ? 'it on the page of its domain' : 'them on the pages of their domains';
  return {
    state: 'warned',
    note: `${done}Not removed at Cloudflare: ${namesOf(left)}. ${why} Remove ${page}.`,
  };
}

/** The records of each zone together, as many as Cloudflare changes at once. */
export function inGroups(records: readonly LeavingRecord[]): { zone: string; records: LeavingRecord[] }[] {
  const zones = [...new Set(records.map(({ zone }) => zone))];
  return zones.flatMap((zone) => {
    const own = records.filter((each) => each.zone === zone);
    return Array.from({ length: Math.ceil(own.length / recordsTogether) }, (_, at) => ({
      zone,
      records: own.slice(at * recordsTogether, (at + 1) * recordsTogether),
    }));
  });
}

const namesShown = 10;

export function namesOf(records: readonly LeavingRecord[]): string {
  const names = records.slice(0, namesShown).map(({ dnsName }) => toUnicode(dnsName));
  const others = records.length - names.length;
  return `${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
