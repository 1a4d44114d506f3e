import { zoneAskedAgainMs, zoneReadAgainMs } from '@homeport/contract/proxies/facts';
import { ownerFromSession, repeatWork } from '@homeport/store';
import { sql } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { type DomainDeps, purpose } from './account.ts';
import { refreshZones } from './zones.ts';

/** Accounts that one turn reads, one after the other. */
const atOnce = 50;

/**
 * Reads the zones that prove domains of proxies again, regularly, until it is closed. A zone that is not read any more stops proving
 * its domains after some days, so somebody who never opens the pages of the zones must not lose a website by that. Several processes
 * may do this together.
 */
export function keepReadingZones(deps: DomainDeps, report: (error: unknown) => void) {
  const stopped = new AbortController();
  const work = repeatWork('zones', () => readZonesAgain(deps, report, stopped.signal), report);
  return {
    async close(): Promise<void> {
      stopped.abort();
      await work.stop();
    },
  };
}

/** Reads what is due. A refused credential is noted for its person, and the others are read all the same. */
export async function readZonesAgain(
  deps: DomainDeps,
  report: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const ownerId of await claim(deps)) {
    if (signal.aborted) return;
    try {
      await refreshZones(deps, ownerFromSession(ownerId), { byHand: true, signal });
    } catch (error) {
      if (!(error instanceof ProblemError) && !signal.aborted) report(error);
    }
  }
}

/** Takes accounts that no other process has. Only people with a proxy need their zones read. */
async function claim({ store, clock }: DomainDeps): Promise<string[]> {
  const now = clock();
  const { rows } = await sql<{ owner_id: string }>`
    with due as (
      select id from linked_accounts a where service = ${purpose}
        and checked_at <= ${now - zoneReadAgainMs} and asked_at <= ${now - zoneAskedAgainMs} and (select may_act())
        and exists (select from proxies p where p.owner_id = a.owner_id)
      order by asked_at limit ${atOnce} for update skip locked)
    update linked_accounts a set asked_at = ${now} from due where a.id = due.id returning a.owner_id`.execute(
    store.db,
  );
  return rows.map(({ owner_id }) => owner_id);
}
