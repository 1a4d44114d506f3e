import type pg from 'pg';
import type { ClaimedMessage } from './claim-messages.ts';

/** Puts the end of a claim off, while its message is on the way. False where the claim has ended: somebody else may have the message. */
export async function renewClaim(
  pool: pg.Pool,
  { id, version }: Pick<ClaimedMessage, 'id' | 'version'>,
  endsAt: number,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update notice_messages set due_at = $3 where id = $1 and version = $2',
    [id, version, endsAt],
  );
  return rowCount === 1;
}
