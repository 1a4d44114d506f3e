import type { Owner, Store } from '@homeport/store';
import { notifyChange } from '../live/notify-change.ts';
import { holdAccount } from '../records/account-lock.ts';
import { type Asked, findProposal, refuseOver, storeNow } from './proposal-record.ts';

/**
 * Ends an open proposal without running anything: its person declines, or its program takes it back.
 *
 * @throws ProblemError `not_found` for one that is not theirs, `conflict` for one that is over
 */
export async function endProposal(
  { store }: { store: Pick<Store, 'transact'> },
  owner: Owner,
  { id, asked, as }: { id: string; asked: Asked; as: 'declined' | 'withdrawn' },
): Promise<void> {
  await store.transact(owner, async (scope) => {
    await holdAccount(scope);
    await scope.db
      .selectFrom('proposals')
      .select('id')
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .forUpdate()
      .execute();
    const { state_now } = await findProposal(scope, id, asked);
    refuseOver(state_now);
    await scope.db
      .updateTable('proposals')
      .set({ state: as, ended_at: storeNow })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .execute();
    await notifyChange(scope.db, owner, 'proposals', id);
  });
}
