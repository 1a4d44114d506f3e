import { defaultPlanSize } from '@homeport/contract/plans';
import { appNameSchema, apps } from '@homeport/dokku';
import type { OwnerWrite } from '@homeport/store';
import { monitorIdOf } from '../apps/create-app.ts';
import { tellChange } from '../live/tell-change.ts';
import type { Ran } from '../remote/run-command.ts';
import { globalDomainOf } from './global-domain.ts';
import type { ServerRow } from './server-record.ts';

/** The names of the apps that a server has, ours and others’, as `apps:list` prints them. */
export function readServerApps(ran: Ran): string[] {
  return apps.readList(ran).filter((name) => appNameSchema.safeParse(name).success);
}

/** Makes records of the server’s apps that have none yet, on the default plan; known ones are not doubled. Answers how many. */
export async function importApps(
  { owner, db }: OwnerWrite,
  server: ServerRow,
  longnames: readonly string[],
  appDomain: string | null,
): Promise<number> {
  if (longnames.length === 0) return 0;
  const rows = await db
    .insertInto('apps')
    .values(
      longnames.map((longname) => ({
        owner_id: owner,
        server_id: server.id,
        name: longname,
        longname,
        // Two servers may have an app of one name: the server’s id keeps their monitor ids apart.
        monitor_id: monitorIdOf(`${longname}.${globalDomainOf(server, appDomain)}/${server.id}`),
        plan: defaultPlanSize,
        imported: true,
        created_at: Date.now(),
      })),
    )
    .onConflict((conflict) => conflict.columns(['server_id', 'longname']).doNothing())
    .returning('id')
    .execute();
  if (rows.length > 0) await tellChange(db, owner, 'apps', null);
  return rows.length;
}
