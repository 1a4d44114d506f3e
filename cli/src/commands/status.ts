import { operationStateText } from '@homeport/contract/operations/health';
import { operationSchema } from '@homeport/contract/operations/schema';
import { z } from 'zod';
import type { Console } from '../console/ask-console.ts';
import { type Read, readIfAllowed, readRoute } from '../console/read-route.ts';
import { exitCodes } from '../exit-codes.ts';
import { printFacts, printJson } from '../output/print.ts';
import type { Command } from './command.ts';
import {
  appShape,
  databaseShape,
  type Reports,
  readReports,
  serverShape,
  serverState,
  stateOfApp,
  stateOfDatabase,
  statusOfServer,
} from './states.ts';

const workShape = operationSchema.pick({ id: true, title: true, state: true, serverName: true });

export const status: Command = {
  words: ['status'],
  summary: 'Counts servers, apps and databases by their states, and lists the work that runs or waits.',
  json: 'The counts by state, and the work; null where the token lacks the scope.',
  asksConsole: true,
  async run({ terminal, json, signIn }) {
    const console = await signIn();
    const overview = await readOverview(console, terminal.now());
    if (json) {
      await printJson(terminal, JSON.stringify(overview));
      return exitCodes.good;
    }
    const { servers, apps, databases, work } = overview;
    await printFacts(terminal, [
      ['Console', `${console.origin}, Homeport ${overview.version}`],
      ['Servers', inWords(servers, 'servers')],
      ['Apps', inWords(apps, 'apps')],
      ['Databases', inWords(databases, 'databases')],
      ['Work', work === null ? lacking('operations') : work.length === 0 ? 'none' : String(work.length)],
      ...(work ?? []).map(({ id, title, state, serverName }): [string, string] => [
        id,
        [operationStateText(state), title, ...(serverName === null ? [] : [serverName])].join(', '),
      ]),
    ]);
    return exitCodes.good;
  },
};

type Counts = { count: number; states: Record<string, number> } | null;

async function readOverview(console: Console, now: number) {
  const [configuration, reports, servers, apps, databases, work] = await Promise.all([
    readRoute({ ...console, token: null }, 'GET /api/configuration', z.object({ version: z.string() })),
    readReports(console),
    readIfAllowed(readRoute(console, 'GET /api/servers', z.array(serverShape))),
    readIfAllowed(readRoute(console, 'GET /api/apps', z.array(appShape))),
    readIfAllowed(readRoute(console, 'GET /api/databases', z.array(databaseShape))),
    readIfAllowed(readRoute(console, 'GET /api/operations', z.array(workShape), { query: '?active=true' })),
  ]);
  const statuses = new Map(
    servers?.value.map(({ id, monitorId }) => [id, statusOfServer(reports, monitorId, now)]),
  );
  return {
    console: console.origin,
    version: configuration.value.version,
    servers: counted(servers, ({ id }) => serverState(statuses.get(id))),
    apps: counted(apps, (app) => wordsOf(reports, app, now)),
    databases: counted(databases, (each) => stateOfDatabase(each, statuses.get(each.serverId))),
    work: work?.value ?? null,
  };
}

/** Without the time since the last report, which would make each app a state of its own. */
const wordsOf = (reports: Reports, app: z.output<typeof appShape>, now: number) =>
  stateOfApp(reports, app, now).split(', ')[0] ?? '';

function counted<S extends z.ZodArray>(
  read: Read<S> | null,
  stateOf: (record: z.output<S>[number]) => string,
): Counts {
  if (!read) return null;
  const states: Record<string, number> = {};
  for (const record of read.value) {
    const state = stateOf(record);
    states[state] = (states[state] ?? 0) + 1;
  }
  return { count: read.value.length, states };
}

function inWords(counts: Counts, area: string): string {
  if (!counts) return lacking(area);
  const states = Object.entries(counts.states).map(([state, count]) => `${state} ${count}`);
  return [String(counts.count), ...(states.length > 0 ? [states.join(', ')] : [])].join(': ');
}

const lacking = (area: string) => `not to be seen: the token lacks ${area}:read`;
