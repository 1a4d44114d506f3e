import { defaultPlanSize } from '@homeport/contract/plans';
import { appName, appNameSchema, apps } from '@homeport/dokku';
import type { Owner, OwnerWrite, Store } from '@homeport/store';
import { findApp } from '../apps/app-record.ts';
import { monitorIdOf } from '../apps/create-app.ts';
import { type AppState, type Run, readAppState } from '../apps/read-state.ts';
import { recordAppState } from '../apps/record-state.ts';
import { tellChange } from '../live/tell-change.ts';
import type { Ran } from '../remote/run-command.ts';
import { globalDomainOf } from './global-domain.ts';
import type { ServerRow } from './server-record.ts';

/** The names of the apps that a server has, ours and others’, as `apps:list` prints them. */
export function readServerApps(ran: Ran): string[] {
  return apps.readList(ran).filter((name) => appNameSchema.safeParse(name).success);
}

/**
 * Makes records of the server’s apps that have none yet, on the default plan; known ones are not doubled. Answers the ids
 * of the new ones.
 */
export async function importApps(
  { owner, db }: OwnerWrite,
  server: ServerRow,
  longnames: readonly string[],
  appDomain: string | null,
): Promise<string[]> {
  if (longnames.length === 0) return [];
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
  return rows.map(({ id }) => id);
}

/** Reading an app takes the server about a second; what is left after this long is read when its page is opened. */
const readAtMostMs = 20_000;

/**
 * Reads what the server says of imported apps, one after the other: domains, state, last deploy, HTTPS, and since when
 * they are there. The records exist already, so an app that cannot be read keeps its own for the next look.
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
