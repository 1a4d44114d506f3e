import { programCallLimits } from '@homeport/contract/program-calls/facts';
import type { FormerProgram } from '@homeport/contract/program-calls/schema';
import { type TokenKind, tokenKinds } from '@homeport/contract/tokens/facts';
import type { Owner, Store } from '@homeport/store';
import { sql } from 'kysely';
import { callsSince } from './list-calls.ts';

/** The tokens that are gone and have lines, the one that was used last first. */
export async function listFormerPrograms(store: Store, owner: Owner, now: number): Promise<FormerProgram[]> {
  const { rows } = await store.read(owner, ({ db }) =>
    sql<{ id: string; kind: string; name: string; last_four: string; last_at: number }>`
      select * from (
        select distinct on (program_id) program_id as id, program_kind as kind, program_name as name,
          last_four, last_at
        from program_calls c where owner_id = ${owner} and last_at > ${callsSince(now)}
          and not exists (select from api_tokens where id = c.program_id)
        order by program_id, last_at desc
      ) former order by last_at desc, id limit ${programCallLimits.former}`.execute(db),
  );
  return rows.flatMap(({ kind, last_four, last_at, ...row }) =>
    isKind(kind) ? [{ ...row, kind, lastFour: last_four, lastCallAt: last_at }] : [],
  );
}

/** A newer replica may know more kinds. */
const isKind = (kind: string): kind is TokenKind => tokenKinds.some((each) => each === kind);
