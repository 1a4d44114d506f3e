import { defaultDomainOf } from '@homeport/contract/apps/default-domain';
import { defaultPlanSize } from '@homeport/contract/apps/plans';
import { appsListed, appsPerImport } from '@homeport/contract/limits';
import { appName, appNameSchema, apps } from '@homeport/dokku';
import { countOwned, type Owner, type OwnerWrite, type Store } from '@homeport/store';
import { monitorIdOf } from '../apps/changes/create-app.ts';
import { type AppState, type Run, readAppState } from '../apps/state/read-state.ts';
import { recordAppState } from '../apps/state/record-state.ts';
import { limitReached } from '../http/ceiling.ts';
import { tellChange } from '../live/tell-change.ts';
import { appIdsOfServer, findApp } from '../records/app-record.ts';
import type { ServerRow } from '../records/server-record.ts';
import type { Ran } from '../remote/run-command.ts';

/**
 * The names of the apps that a server has, ours and others’, as `apps:list` prints them. Each name comes
 * once, and their number is bounded.
 */
export function readServerApps(ran: Ran): string[] {
  const names = new Set(apps.readList(ran).slice(0, appsListed));
  return [...names].filter((name) => appNameSchema.safeParse(name).success);
}

/**
 * Makes records, on the default plan, of the server’s apps that have none. One import makes at most 500, and
 * no more than the person may have in all (`most`). Returns the ids of the new records, and how many apps are
 * `left` without a record. Throws `limit_reached` if there is no room for any.
 */
export async function importApps(
  scope: OwnerWrite,
  server: ServerRow,
  longnames: readonly string[],
  { appDomain, most }: { appDomain: string | null; most: number },
): Promise<{ ids: string[]; left: number }> {
  const { owner, db } = scope;
  const room = most - (await countOwned(scope, 'apps'));
  const recorded = await appIdsOfServer(scope, server.id);
  const missing = longnames.filter((longname) => !recorded.has(longname));
  if (missing.length === 0) return { ids: [], left: 0 };
  if (room <= 0) throw limitReached('apps', most);
  const wanted = missing.slice(0, Math.min(room, appsPerImport));
  const rows = await db
    .insertInto('apps')
    .values(
      wanted.map((longname) => ({
        owner_id: owner,
        server_id: server.id,
        name: longname,
        longname,
        // Two servers may have an app of the same name, so the server’s id keeps their monitor ids apart.
        monitor_id: monitorIdOf(`${defaultDomainOf(server, longname, appDomain)}/${server.id}`),
        plan: defaultPlanSize,
        imported: true,
        created_at: Date.now(),
      })),
    )
    .onConflict((conflict) => conflict.columns(['server_id', 'longname']).doNothing())
    .returning('id')
    .execute();
  if (rows.length > 0) await tellChange(db, owner, 'apps', null);
  return { ids: rows.map(({ id }) => id), left: missing.length - wanted.length };
}

/**
 * Reading an app takes the server about a second. An app that is not read within this time is read when its
 * page is opened.
 */
const readAtMostMs = 20_000;

/**
 * Reads the facts of imported apps from the server, one app after the other: domains, state, last deploy,
 * HTTPS and creation time. The records exist already, so an app that cannot be read keeps its record for the
 * next look.
 */
export async function readImported(
  store: Pick<Store, 'db' | 'pool'>,
  owner: Owner,
  ids: readonly string[],
  run: Run,
): Promise<void> {
  const end = Date.now() + readAtMostMs;
  for (const id of ids) {
    if (Date.now() > end) return;
    const app = await findApp({ owner, db: store.db }, id);
    const report = await run(apps.report(appName(app.longname)), { accept: 'any' });
    const createdAt = report.exitCode === 0 ? apps.readReport(report).createdAt : null;
    const state = await readAppState(run, app.longname);
    await recordAppState(store, owner, app, withCreation(state, createdAt));
  }
}

function withCreation(state: AppState, createdAt: number | null): AppState {
  if (state.kind === 'missing' || createdAt === null) return state;
  return { ...state, facts: { ...state.facts, created_at: createdAt } };
}
