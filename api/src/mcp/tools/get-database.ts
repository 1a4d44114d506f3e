import { z } from 'zod';
import { untrusted } from '../answer.ts';
import { databaseOf } from '../named-records.ts';
import { moment, recordName, someOf } from '../records.ts';
import { defineTool } from '../tool.ts';
import { databaseStates } from './list-databases.ts';

export const getDatabase = defineTool({
  name: 'get_database',
  title: 'One database',
  description:
    'Shows one database: state, type, version, size in bytes, linked apps, exposed ports, and its last scheduled backups. `database` is its name, SERVER/NAME, or its id. Passwords, connection strings and dumps are never shown.',
  scopes: ['databases:read'],
  input: z.strictObject({ database: recordName }),
  async run(caller, { database: name }) {
    const [stateOf, all] = await Promise.all([databaseStates(caller), caller.read('GET /api/databases')]);
    const database = databaseOf(caller, all, name);
    const backups = await caller.read('GET /api/databases/:id/backups', {
      path: { id: database.id },
    });
    const links = someOf(database.links, 30);
    return {
      ...{ id: database.id, name: database.name, dokkuName: database.longname, server: database.serverName },
      ...{ type: database.type, version: database.imageVersion, state: stateOf(database) },
      ...{ ending: database.ending, memoryBytes: database.memoryBytes, dataBytes: database.dataBytes },
      ports: someOf(database.ports, 8).some,
      linkedApps: links.some.map(({ appLongname, appName, variable }) => ({
        appLongname,
        appName,
        variable: untrusted('the name of a variable', variable),
      })),
      ...(links.leftOut > 0 && { linkedAppsLeftOut: links.leftOut }),
      readAt: moment(database.readAt),
      backups: {
        ...{
          scheduled: backups.schedule !== null,
          unsure: backups.unsure,
          missedAt: moment(backups.missedAt),
        },
        lastRuns: someOf(backups.runs, 5).some.map(
          ({ state, beganAt, durationSeconds, bytes, failure, text }) => ({
            ...{ state, beganAt: moment(beganAt), durationSeconds, bytes, failure },
            said: untrusted('the server’s words about a backup', text),
          }),
        ),
      },
    };
  },
});
