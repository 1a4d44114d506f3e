import { defaultDomainOf } from '@homeport/contract/apps/default-domain';
import { appsListed, appsPerImport } from '@homeport/contract/limits';
import { appNameSchema, apps } from '@homeport/dokku';
import { countOwned, type OwnerWrite } from '@homeport/store';
import { monitorIdOf } from '../../apps/changes/create-app.ts';
import { limitReached } from '../../http/ceiling.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { appIdsOfServer } from '../../records/app-record.ts';
import type { ServerRow } from '../../records/server-record.ts';
import type { Ran } from '../../remote/run-command.ts';

/**
 * The names of the apps that a server has, ours and others’, as `apps:list` prints them. Each name comes
 * once, and their number is bounded.
 */
export function readServerApps(ran: Ran): string[] {
  const names = new Set(apps.readList(ran).slice(0, appsListed));
  return [...names].filter((name) => appNameSchema.safeParse(name).success);
}

/**
 * Makes records, without a plan and unread, of those of these apps that have none. Makes at most 500, and no
 * more than the person may have in all (`most`). Returns how many apps are `left` without a record. Throws
 * `limit_reached` if there is no room for any.
 */
export async function recordApps(
  scope: OwnerWrite,
  server: ServerRow,
  longnames: readonly string[],
  { appDomain, most }: { appDomain: string | null; most: number },
): Promise<{ left: number }> {
  const { owner, db } = scope;
  const room = most - (await countOwned(scope, 'apps'));
  const recorded = await appIdsOfServer(scope, server.id);
  const missing = longnames.filter((longname) => !recorded.has(longname));
  if (missing.length === 0) return { left: 0 };
  if (room <= 0) throw limitReached('apps', most);
  const wanted = missing.slice(0, Math.min(room, appsPerImport));
  await db
    .insertInto('apps')
    .values(
      wanted.map((longname) => ({
        owner_id: owner,
        server_id: server.id,
        name: longname,
        longname,
        // Two servers may have an app of the same name, so the server’s id keeps their monitor ids apart.
        monitor_id: monitorIdOf(`${defaultDomainOf(server, longname, appDomain)}/${server.id}`),
        plan: null,
        imported: true,
        unread: true,
        created_at: Date.now(),
      })),
    )
    .onConflict((conflict) => conflict.columns(['server_id', 'longname']).doNothing())
    .execute();
  await notifyChange(db, owner, 'apps', null);
  return { left: missing.length - wanted.length };
}
