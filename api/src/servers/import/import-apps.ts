import { appsPerImport, type Ceilings } from '@homeport/contract/limits';
import { appsImported } from '@homeport/contract/messages';
import { apps } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { z } from 'zod';
import { readImportedApp } from '../../apps/state/read-imported.ts';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { appIdsOfServer, listUnreadApps } from '../../records/app-record.ts';
import { findServer } from '../../records/server-record.ts';
import { ownReason } from '../../remote/own-reason.ts';
import { namesOf } from './names-of.ts';
import { readLinksOfServer } from './read-links.ts';
import { readServerApps, recordApps } from './record-apps.ts';

type Deps = {
  store: Pick<Store, 'db' | 'pool' | 'transact' | 'read'>;
  appDomain: string | null;
  ceilings: Pick<Ceilings, 'apps'>;
};

const importInput = z.object({ serverId: z.uuid(), longnames: z.array(z.string()).min(1) });
type Context = StepContext<z.output<typeof importInput>>;

const percents = { record: 0, read: 5 } as const;
const readTitle = 'Read the apps';

/**
 * Makes records of the chosen apps, then reads each app from the server. An app that cannot be read keeps its
 * record for the next connection, and the others are read.
 */
export function importApps(deps: Deps): AnyOperationDefinition {
  return defineOperation<z.output<typeof importInput>>({
    kind: 'server.import',
    input: importInput,
    title: ({ longnames }) =>
      longnames.length === 1 ? `Import of ${longnames[0]}` : `Import of ${longnames.length} apps`,
    steps: () => [
      {
        key: 'record',
        title: 'Add the apps to Homeport',
        percent: percents.record,
        run: (context) => record(deps, context),
      },
      { key: 'read', title: readTitle, percent: percents.read, run: (context) => readAll(deps, context) },
    ],
  });
}

async function record(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { serverId, longnames } = context.input;
  const onServer = new Set(readServerApps(await context.run('apps', apps.list(), { quiet: true })));
  const there = longnames.filter((longname) => onServer.has(longname));
  if (there.length === 0)
    throw new ProblemError('not_found', 'The server no longer has these apps. Nothing was imported.');
  const { left, recorded } = await deps.store.transact(context.owner, async (scope) => {
    const server = await findServer(scope, serverId);
    const done = await recordApps(scope, server, there, {
      appDomain: deps.appDomain,
      most: deps.ceilings.apps,
    });
    const ids = await appIdsOfServer(scope, serverId);
    return { ...done, recorded: there.filter((longname) => ids.has(longname)).length };
  });
  await context.toast('ok', appsImported(recorded));
  const notes = [
    ...(there.length < longnames.length
      ? [`The server no longer has ${namesOf(longnames.filter((each) => !onServer.has(each)))}.`]
      : []),
    ...(left > 0 ? [`Your account has no room for ${left} more.`] : []),
  ];
  return notes.length > 0 ? { state: 'warned', note: notes.join(' ') } : undefined;
}

async function readAll(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { serverId, longnames } = context.input;
  const unread = await deps.store.read(context.owner, (scope) =>
    listUnreadApps(scope, serverId, { most: appsPerImport, longnames }),
  );
  const failed: string[] = [];
  for (const [index, app] of unread.entries()) {
    const percent = percents.read + Math.floor(((100 - percents.read) * index) / unread.length);
    await context.progress(percent, `Read ${app.longname}, ${index + 1} of ${unread.length}`);
    try {
      const end = await readImportedApp(deps.store, context.owner, app, (command, options) =>
        context.run('apps', command, { ...options, quiet: true }),
      );
      if (end === 'read') continue;
      context.note(`${app.longname}: the server no longer has this app.`);
    } catch (error) {
      const reason = ownReason(error);
      if (reason === null || context.signal.aborted) throw error;
      context.note(`${app.longname}: ${reason}`);
    }
    failed.push(app.longname);
  }
  await readLinksOfServer(deps.store, context, serverId);
  await context.progress(100, readTitle);
  if (failed.length === 0) return undefined;
  return {
    state: 'warned',
    note: `Homeport could not read ${namesOf(failed)}. It reads ${failed.length === 1 ? 'this app' : 'these apps'} again with the next connection to the server.`,
  };
}
