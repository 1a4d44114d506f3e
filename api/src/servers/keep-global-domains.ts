import type { OwnerWrite } from '@homeport/store';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { ServerRow } from '../records/server-record.ts';

/** Records that the global domains that linking found stay. Nothing changes on the server, and nobody asks again. */
export async function keepGlobalDomains({ owner, db }: OwnerWrite, id: string): Promise<ServerRow> {
  const row = await db
    .updateTable('servers')
    .set({ global_domains_kept: true })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound('server');
  await notifyChange(db, owner, 'servers', id);
  return row;
}
