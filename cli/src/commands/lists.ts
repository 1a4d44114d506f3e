import { z } from 'zod';
import { readIfPossible, readRoute } from '../console/read-route.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson, printTable } from '../output/print.ts';
import type { Command } from './command.ts';
import {
  appShape,
  databaseShape,
  readReports,
  serverShape,
  serverState,
  stateOfApp,
  stateOfDatabase,
  statusOfServer,
} from './states.ts';

export const apps: Command = {
  words: ['apps'],
  summary: 'Lists your apps: name, server, state, last deploy, address.',
  json: 'The answer of `GET /api/apps`.',
  asksConsole: true,
  async run({ terminal, json, signIn }) {
    const console = await signIn();
    const { value, text } = await readRoute(console, 'GET /api/apps', z.array(appShape));
    if (json) await printJson(terminal, text);
    else {
      const reports = await readReports(console);
      const rows = value.map((app) => [
        ...[app.name, app.serverName, stateOfApp(reports, app, terminal.now())],
        ...[app.deployment.status, app.url ?? ''],
      ]);
      await printTable(terminal, ['name', 'server', 'state', 'deploy', 'address'], rows);
    }
    return exitCodes.good;
  },
};

export const servers: Command = {
  words: ['servers'],
  summary: 'Lists your servers: name, address, state, version of Dokku.',
  json: 'The answer of `GET /api/servers`.',
  asksConsole: true,
  async run({ terminal, json, signIn }) {
    const console = await signIn();
    const { value, text } = await readRoute(console, 'GET /api/servers', z.array(serverShape));
    if (json) await printJson(terminal, text);
    else {
      const reports = await readReports(console);
      const rows = value.map(({ name, ip, port, monitorId, metal, dokkuVersion }) => [
        ...[name, `${ip}:${port}`, serverState(statusOfServer(reports, monitorId, terminal.now()))],
        metal ? 'none' : (dokkuVersion ?? '-'),
      ]);
      await printTable(terminal, ['name', 'address', 'state', 'dokku'], rows);
    }
    return exitCodes.good;
  },
};

export const databases: Command = {
  words: ['databases'],
  summary: 'Lists your databases: name, server, type with version, state.',
  json: 'The answer of `GET /api/databases`.',
  asksConsole: true,
  async run({ terminal, json, signIn }) {
    const console = await signIn();
    const { value, text } = await readRoute(console, 'GET /api/databases', z.array(databaseShape));
    if (json) await printJson(terminal, text);
    else {
      const now = terminal.now();
      const [reports, known] = await Promise.all([
        readReports(console),
        readIfPossible(readRoute(console, 'GET /api/servers', z.array(serverShape))),
      ]);
      const monitorIds = new Map(known?.value.map(({ id, monitorId }) => [id, monitorId]));
      const rows = value.map((database) => {
        const monitorId = monitorIds.get(database.serverId);
        const server = monitorId === undefined ? undefined : statusOfServer(reports, monitorId, now);
        const type = [database.type, database.imageVersion].filter(Boolean).join(' ');
        return [database.name, database.serverName, type, stateOfDatabase(database, server)];
      });
      await printTable(terminal, ['name', 'server', 'type', 'state'], rows);
    }
    return exitCodes.good;
  },
};
