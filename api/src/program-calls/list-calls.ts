import { callSubjectKinds, programCallLimits } from '@homeport/contract/program-calls/facts';
import type { ProgramCall } from '@homeport/contract/program-calls/schema';
import { type RouteKey, routes } from '@homeport/contract/routes';
import type { Owner, OwnerRead, Store } from '@homeport/store';
import type { CallSubject } from '../http/note-call.ts';
import { notFound } from '../http/problem.ts';
import type { Locations } from '../location/locations.ts';
import { tools } from '../mcp/table.ts';
import { namesOfSubjects, subjectKey } from './subjects.ts';

const dayMs = 24 * 60 * 60_000;

/** Since when lines are shown. */
export const callsSince = (now: number): number => now - programCallLimits.days * dayMs;

/**
 * What a token did, the last first. The token may be gone.
 *
 * @throws ProblemError unless the token is the person's, or was and did something
 */
export async function listCalls(
  store: Store,
  locations: Locations,
  owner: Owner,
  { id, now }: { id: string; now: number },
): Promise<ProgramCall[]> {
  return store.read(owner, async (scope) => {
    const rows = await scope.db
      .selectFrom('program_calls')
      .selectAll()
      .where('owner_id', '=', owner)
      .where('program_id', '=', id)
      .where('last_at', '>', callsSince(now))
      .orderBy('last_at', 'desc')
      .orderBy('number', 'desc')
      .limit(programCallLimits.ofToken)
      .execute();
    if (rows.length === 0) await refuseForeign(scope, id);
    const lines = rows.map((row) => ({ row, subject: subjectIn(row) }));
    const names = await namesOfSubjects(
      scope,
      lines.flatMap(({ subject }) => subject ?? []),
    );
    return lines.map(({ row: { call, outcome, count, first_at, last_at, address, ...row }, subject }) => ({
      ...{ id: row.id, call, title: titleOf(call), outcome, count, address },
      subject: subject && { ...subject, name: names.get(subjectKey(subject)) ?? null },
      ...{ firstAt: first_at, lastAt: last_at, place: locations.inWords(address) },
    }));
  });
}

async function refuseForeign({ db, owner }: OwnerRead, id: string): Promise<void> {
  const own = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!own) throw notFound('token');
}

/** A newer replica may know more kinds. */
function subjectIn(row: { subject_kind: string | null; subject_id: string | null }): CallSubject | null {
  const kind = callSubjectKinds.find((each) => each === row.subject_kind);
  return kind && row.subject_id !== null ? { kind, id: row.subject_id } : null;
}

const toolTitles = new Map(tools.map(({ name, title }) => [name, title]));

/** A newer replica may know more calls. */
const titleOf = (call: string): string =>
  toolTitles.get(call) ?? (Object.hasOwn(routes, call) ? routes[call as RouteKey].summary : call);
