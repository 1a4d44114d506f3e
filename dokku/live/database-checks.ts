import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { type DatabaseTypeName, databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import * as dokku from '../src/index.ts';
import { done, type LiveCheck, type LiveStage, refused } from './check.ts';
import { needPlugin } from './own-plugin.ts';
import { skip } from './skip.ts';

/** The types in the order in which they are light on a host. */
const types = ['redis', 'memcached', 'postgres', 'mysql', 'mongo', 'clickhouse'] as const;

export function typesOn(plugins: ReadonlySet<string>): DatabaseTypeName[] {
  return types.filter((type) => plugins.has(type));
}

/** Enough for the server of each type to start. */
const memoryMb = 1_024;

type TypedCheck = { name: string; run(stage: LiveStage, type: DatabaseTypeName): Promise<void> };

function check(name: string, run: TypedCheck['run']): TypedCheck {
  return { name, run };
}

/** One service of each type from its creation to its end. A host without the type’s plugin says that it has no such command. */
function checksOf(type: DatabaseTypeName): LiveCheck[] {
  return serviceChecks.map(({ name, run }) => ({
    name: `a database of ${type}: ${name}`,
    run: async (stage) => {
      if (stage.plugins.has(type)) return run(stage, type);
      refused(await stage.host.run(dokku.service.list(type)), 'command_unknown');
      skip(`the host has no plugin for ${type}`);
    },
  }));
}

/** The app was created by the checks before and not deployed yet. */
const serviceChecks: readonly TypedCheck[] = [
  check('create, exists, list and info', async ({ host, database }, type) => {
    refused(await host.run(dokku.service.exists(type, database)), 'service_missing', 1);
    const created = done(await host.run(dokku.service.create(type, database, { memoryMb })));
    done(await host.run(dokku.service.exists(type, database)));
    refused(await host.run(dokku.service.create(type, database)), 'service_exists', 1);
    ok(dokku.service.readList(done(await host.run(dokku.service.list(type)))).includes(database));
    const info = dokku.service.readInfo(done(await host.run(dokku.service.info(type, database))));
    equal(info.state, 'running');
    const images = done(await host.run(dokku.defaultImages.listDefaultImages()));
    ok(dokku.defaultImages.readDefaultImages(images).has(type));
    ok(dokku.service.readId(done(await host.run(dokku.service.id(type, database)))));
    equal(info.dsn, dokku.service.readDsn(done(await host.run(dokku.service.dsn(type, database)))));
    const password = /:([^:@/]+)@/.exec(info.dsn)?.[1];
    if (password) ok(!dokku.service.withoutSecrets(created.stdout).includes(password));
  }),
  check('link sets the variable, which promote finds in place', async ({ host, app, database }, type) => {
    done(await host.run(dokku.service.link(type, database, app)));
    refused(await host.run(dokku.service.link(type, database, app)), 'already_linked', 1);
    refused(await host.run(dokku.service.promote(type, database, app)), 'already_promoted', 1);
    refused(await host.run(dokku.service.destroy(type, database)), 'service_linked', 1);
    deepEqual(dokku.service.readLinks(done(await host.run(dokku.service.links(type, database)))), [app]);
  }),
  check('expose and unexpose', async ({ host, database }, type) => {
    const from = 20_000 + Math.floor(Math.random() * 11_000);
    const ports = databaseTypeOf(type).ports.map((_port, at) => `127.0.0.1:${from + at}`);
    done(await host.run(dokku.service.expose(type, database, ports)));
    refused(await host.run(dokku.service.expose(type, database, ports)), 'already_exposed', 1);
    const info = dokku.service.readInfo(done(await host.run(dokku.service.info(type, database))));
    deepEqual(
      info.ports.map(({ address, hostPort }) => `${address}:${hostPort}`),
      ports,
    );
    const listening = await host.run(dokku.sockets.listening());
    ok(dokku.sockets.isAnswer(listening), listening.stderr);
    ok(dokku.sockets.readListening(listening).includes(from));
    equal((await host.run(dokku.sockets.answers('127.0.0.1', from))).exitCode, 0);
    done(await host.run(dokku.service.unexpose(type, database)));
    done(await host.run(dokku.service.unexpose(type, database)));
  }),
  check('Homeport’s plugin tells it as its own plugin does', async (stage, type) => {
    needPlugin(stage);
    await compareWithPlugin(stage, type);
  }),
  check('pause, start and restart', async ({ host, database }, type) => {
    const state = async () =>
      dokku.service.readInfo(done(await host.run(dokku.service.info(type, database)))).state;
    done(await host.run(dokku.service.pause(type, database)));
    equal(await state(), 'exited');
    const ran = done(await host.run(dokku.ending.inspectEnding(type, database)));
    equal(dokku.ending.stateAfter(dokku.ending.readEnding(ran)), 'paused');
    done(await host.run(dokku.service.start(type, database)));
    done(await host.run(dokku.service.restart(type, database)));
    equal(await state(), 'running');
    const told = done(await host.run(dokku.service.logs(type, database, { lines: 1, follow: false })));
    ok(told.stdout.trim().split('\n').length <= 1);
  }),
  check('a dump brings the data back', async (stage, type) => {
    needPlugin(stage);
    const listed = done(await stage.host.run(dokku.dumps.list(type, stage.database)));
    deepEqual(dokku.dumps.readDumps(listed).dumps, []);
    await dumpAndRestore(stage, type);
  }),
  check('a schedule is kept, makes its backup, and goes', async (stage, type) => {
    needPlugin(stage);
    const asked = done(await stage.host.run(dokku.schedules.read(type, stage.database)));
    equal(dokku.schedules.readSchedule(asked).schedule, null);
    await backUpOnSchedule(stage, type);
  }),
  check('unlink and destroy', async ({ host, app, database }, type) => {
    done(await host.run(dokku.service.unlink(type, database, app)));
    refused(await host.run(dokku.service.unlink(type, database, app)), 'not_linked', 1);
    done(await host.run(dokku.service.destroy(type, database)));
    refused(await host.run(dokku.service.destroy(type, database)), 'service_missing', 1);
  }),
];

export const databaseChecks: readonly LiveCheck[] = [
  ...types.flatMap(checksOf),
  {
    name: 'the addresses of the host are addresses',
    run: async ({ host }) => {
      const ran = await host.run(dokku.sockets.addresses());
      // A host without the program `ip` offers none.
      if (ran.exitCode === 127) skip('the host has no program ip');
      for (const address of dokku.sockets.readAddresses(ran)) ok(isIP(address) !== 0, address);
    },
  },
];

/** Cron would start it on New Year’s Day. The checks make its backup themselves. */
const schedule = {
  cron: '17 3 1 1 *',
  paused: false,
  keepCount: 2,
  keepDays: 30,
  restoreTest: 'never',
  target: { kind: 'server' },
} as const;

async function backUpOnSchedule(
  { host, database }: Pick<LiveStage, 'host' | 'database'>,
  type: DatabaseTypeName,
): Promise<void> {
  const told = async () =>
    dokku.schedules.readSchedule(done(await host.run(dokku.schedules.read(type, database))));
  done(await host.run(dokku.schedules.write(type, database, schedule)));
  const { schedule: kept, inCrontab } = await told();
  const { timeZone: _zone, since: _since, ...same } = kept ?? { timeZone: '', since: 0 };
  deepEqual([same, inCrontab], [schedule, true]);
  const ran = await host.run(dokku.schedules.run(type, database));
  const dumps = async () =>
    dokku.dumps.readDumps(done(await host.run(dokku.dumps.list(type, database)))).dumps;
  if (databaseTypeOf(type).dump.kind === 'none') {
    ok(ran.exitCode !== 0, 'a type without dumps made a backup');
  } else {
    const [run] = dokku.schedules.readSchedule(done(ran)).runs.slice(-1);
    const [dump] = await dumps();
    deepEqual(
      [run?.state, run?.bytes, run?.sha256, dump?.origin],
      ['succeeded', dump?.bytes, dump?.sha256, 'scheduled'],
    );
  }
  done(await host.run(dokku.schedules.remove(type, database)));
  const after = await told();
  deepEqual([after.schedule, after.inCrontab], [null, false]);
  for (const { id } of await dumps()) done(await host.run(dokku.dumps.remove(type, database, id)));
}

async function dumpAndRestore(
  { host, database }: Pick<LiveStage, 'host' | 'database'>,
  type: DatabaseTypeName,
): Promise<void> {
  const [made, sent] = [dokku.dumps.dumpId(randomUUID()), dokku.dumps.dumpId(randomUUID())];
  const making = dokku.dumps.make(type, database, made, 'made');
  if (databaseTypeOf(type).dump.kind === 'none') {
    refused(await host.run(making), 'export_failed', 1);
    return;
  }
  done(await host.run(making));
  const [dump] = dokku.dumps.readDumps(done(await host.run(dokku.dumps.list(type, database)))).dumps;
  equal(dump?.id, made);
  ok((dump?.bytes ?? 0) > 0);
  // The bytes of a database are no text, so only their presence is compared here.
  ok(done(await host.run(dokku.dumps.read(type, database, made))).stdout.length > 0);
  const cutOff = { ...dokku.dumps.write(type, database, sent, 10), stdin: 'half' };
  refused(await host.run(cutOff), 'dump_cut_off', 1);
  const restoring = dokku.dumps.restore(type, database, made, sent);
  done(await host.run(restoring));
  done(await host.run(restoring));
  const { state } = dokku.service.readInfo(done(await host.run(dokku.service.info(type, database))));
  equal(state, 'running');
  await proveRestore({ host, database }, type, made);
  done(await host.run(dokku.dumps.remove(type, database, made)));
  refused(await host.run(dokku.dumps.read(type, database, made)), 'dump_missing', 1);
}

/** The test's own service is gone afterwards, and the second question makes no second test. */
async function proveRestore(
  { host, database }: Pick<LiveStage, 'host' | 'database'>,
  type: DatabaseTypeName,
  dump: dokku.dumps.DumpId,
): Promise<void> {
  const services = async () => dokku.service.readList(done(await host.run(dokku.service.list(type))));
  const before = await services();
  const proving = dokku.dumps.test(type, database, dump, dokku.dumps.dumpId(randomUUID()));
  const told = dokku.dumps.readTest(done(await host.run(proving)));
  deepEqual([told.outcome, told.failure], ['same', '']);
  deepEqual(dokku.dumps.readTest(done(await host.run(proving))), told);
  deepEqual(await services(), before);
}

/** What Homeport's own plugin tells, beside the info block. */
async function compareWithPlugin(
  { host, database }: Pick<LiveStage, 'host' | 'database'>,
  type: DatabaseTypeName,
): Promise<void> {
  const told = dokku.homeport.readDatabaseState(
    done(await host.run(dokku.homeport.databaseState(type, database))),
  );
  const { state, ports, links, imageVersion } = dokku.service.readInfo(
    done(await host.run(dokku.service.info(type, database))),
  );
  deepEqual(
    { state: told?.state, ports: told?.ports, imageVersion: told?.imageVersion },
    { state, ports, imageVersion },
  );
  deepEqual(
    told?.links.map(({ app }) => app),
    links,
  );
  deepEqual(
    told?.links.map(({ variables }) => variables?.length),
    links.map(() => 1),
  );
  equal(told?.memoryBytes, memoryMb * 1024 * 1024);
  const states = await dokku.homeport.readDatabaseStates(
    done(await host.run(dokku.homeport.databaseStates())),
  );
  deepEqual(
    states.find(({ name }) => name === database),
    { ...told, dataBytes: null },
  );
}
