import { type CallOutcome, programCallLimits } from '@homeport/contract/program-calls/facts';
import type { TokenKind } from '@homeport/contract/tokens/facts';
import type { Owner, OwnerWrite, Store } from '@homeport/store';
import { sql } from 'kysely';
import type { CallSubject } from '../http/note-call.ts';
import { notifyChange } from '../live/notify-change.ts';
import { holdAccount } from '../records/account-lock.ts';
import { namesOfSubjects, subjectKey } from './subjects.ts';

/** Equal calls of one token from one address within an hour. Times are epoch milliseconds. */
export type CallLine = {
  token: { id: string; kind: TokenKind; name: string; lastFour: string };
  call: string;
  subject: CallSubject | null;
  outcome: CallOutcome;
  hour: number;
  count: number;
  firstAt: number;
  lastAt: number;
  address: string;
};

/**
 * Writes lines of one account and removes the oldest beyond its shares, in one transaction. The transactions of an account come one after
 * the other, in all replicas, so that the shares hold exactly.
 */
export async function writeCalls(
  store: Pick<Store, 'transact'>,
  owner: Owner,
  lines: readonly CallLine[],
): Promise<void> {
  await store.transact(owner, async (scope) => {
    // An account that was deleted meanwhile takes its lines along.
    if (!(await holdAccount(scope))) return;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport program calls ${owner}`}, 0))`.execute(
      scope.db,
    );
    for (const line of await withOwnSubjects(scope, lines)) await writeLine(scope, line);
    await removeOldest(scope);
    await notifyChange(scope.db, owner, 'tokens', null);
  });
}

/**
 * A refused call may name any id, and thousands of them. Only a record of the person is kept as its subject. A call that was answered
 * had one, which it may have deleted.
 */
async function withOwnSubjects(scope: OwnerWrite, lines: readonly CallLine[]): Promise<CallLine[]> {
  const doubtful = lines.flatMap(({ subject, outcome }) => (subject && outcome !== 'ok' ? [subject] : []));
  const own = await namesOfSubjects(scope, doubtful);
  return lines.map((line) =>
    line.outcome === 'ok' || line.subject === null || own.has(subjectKey(line.subject))
      ? line
      : { ...line, subject: null },
  );
}

async function writeLine({ db, owner }: OwnerWrite, line: CallLine): Promise<void> {
  const { token, call, subject, outcome, hour, count, firstAt, lastAt, address } = line;
  await db
    .insertInto('program_calls')
    .values({
      owner_id: owner,
      program_id: token.id,
      program_kind: token.kind,
      program_name: token.name,
      last_four: token.lastFour,
      ...{ call, outcome, hour, count, address },
      subject_kind: subject?.kind ?? null,
      subject_id: subject?.id ?? null,
      first_at: firstAt,
      last_at: lastAt,
    })
    .onConflict((conflict) =>
      conflict.constraint('program_calls_once').doUpdateSet({
        count: sql`program_calls.count + excluded.count`,
        first_at: sql`least(program_calls.first_at, excluded.first_at)`,
        last_at: sql`greatest(program_calls.last_at, excluded.last_at)`,
      }),
    )
    .execute();
}

/**
 * Removes what is beyond the shares. In a full account each token keeps as many of its newest lines as every other: whoever makes one
 * token do many things pushes out that token's lines, and not what another one did. Changes go last: no refused call and no tool pushes
 * one out.
 */
async function removeOldest({ db, owner }: OwnerWrite): Promise<void> {
  await sql`
    delete from program_calls where id in (
      select id from (
        select id, nth, row_number() over (order by nth, last_at desc, number desc) as place from (
          select id, last_at, number, row_number() over (
            partition by program_id order by ${isChange} desc, last_at desc, number desc
          ) as nth
          from program_calls where owner_id = ${owner}
        ) of_token
      ) of_account
      where nth > ${programCallLimits.ofToken} or place > ${programCallLimits.ofAccount}
    )`.execute(db);
}

/** The key of a route has a path, the name of a tool has none. */
const isChange = sql`(outcome = 'ok' and call like '% /%')`;
