import { randomInt } from 'node:crypto';
import { begin, followToEnd, succeeded, type TestVisitor } from '@homeport/api/testing';
import type { ConnectionStrings, Database, ExposureOffer } from '@homeport/contract/databases/schema';
import { databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer, temporaryFolder } from '../testing/console-process.ts';
import { askHost, type HostWithDokku } from '../testing/host-with-dokku.ts';
import { killAt, lengthOf } from '../testing/killed-work.ts';
import { type LinkedProcess, startLinkedProcess } from '../testing/linked-process.ts';
import { drawnMoments, seededRandom, spreadMoments } from '../testing/seeded-moments.ts';

/** Moments of each kind of work by `npm run test:deep`; with `KILL_MOMENTS` others, for a longer search. */
const some = Number(process.env.KILL_MOMENTS ?? drawnMoments(2));
const moments = { creation: some + 1, link: some, exposure: some };
/** The host's waiting times, as a part of a real host's: long enough for a kill in the middle. */
const pace = 0.05;
const withinMs = 480_000;

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
const random = seededRandom(seed);

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let linked: LinkedProcess;
let host: HostWithDokku;
let ines: TestVisitor;

beforeAll(async () => {
  buildServer();
  data = await temporaryFolder();
  linked = await startLinkedProcess(data.path, { only: 'api', pace });
  ({ ines } = linked);
  host = askHost(linked.host);
  await host.dokku('apps:create', 'ledger');
}, 120_000);

afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

const read = async <T>(path: string) => (await ines.call(`GET ${path}`)).body as T;
const list = () => read<Database[]>('/api/databases');
const createNamed = (name: string) =>
  begin(ines, 'POST /api/databases', { name, type: 'postgres', serverId: linked.server.id });
const act = ({ id }: Database, verb: string, body: object = {}) =>
  begin(ines, `POST /api/databases/${id}/${verb}`, body);
const finish = async (operation: Operation) => succeeded(await followToEnd(ines, operation.id));

async function named(name: string): Promise<Database> {
  const found = (await list()).filter((each) => each.name === name);
  expect(found).toHaveLength(1);
  return found[0] as Database;
}

/** The databases of the server, of all types that it has plugins for. */
async function onServer(): Promise<string[]> {
  const plugins = await host.dokku('plugin:list');
  const types = databaseTypeNames.filter((type) => plugins.includes(`  ${type} `));
  const lists = await Promise.all(types.map((type) => host.dokku('--quiet', `${type}:list`)));
  return lists.flatMap((list) => list.split('\n')).filter((line) => line !== '');
}
const flagOf = async ({ longname }: Database, flag: string) =>
  (await host.dokku('postgres:info', longname, `--${flag}`)).trim();

/** Checks that the list of databases and the server agree, except for the databases of interrupted operations. */
async function expectTruth(operations: readonly Operation[]): Promise<void> {
  const unfinished = (kind: OperationKind) =>
    operations
      .filter((each) => each.kind === kind && each.state === 'interrupted')
      .map(({ longname }) => longname);
  const recorded = (await list()).map(({ longname }) => longname);
  const there = await onServer();
  const creating = unfinished('database.create');
  const deleting = unfinished('database.delete');
  expect(there.filter((name) => !recorded.includes(name) && !creating.includes(name))).toEqual([]);
  expect(recorded.filter((name) => !there.includes(name) && !deleting.includes(name))).toEqual([]);
}

const killed = (moment: number, lengthMs: number, kind: OperationKind, work: () => Promise<Operation>) =>
  killAt({ linked, host, seed, expectTruth }, { moment, lengthMs, kind }, work);

test(
  'a creation goes on after a kill -9 at any moment, and makes one whole database',
  async () => {
    const length = await lengthOf(linked, () => createNamed('undisturbed'));
    for (const [round, moment] of spreadMoments(moments.creation, length, random).entries()) {
      await killed(moment, length, 'database.create', () => createNamed(`made ${round}`));
      const database = await named(`made ${round}`);
      expect(database).toMatchObject({ state: 'running', readAt: expect.any(Number) });
      expect(await flagOf(database, 'status')).toBe('running');
    }
  },
  withinMs,
);

test(
  'a creation that installs its plugin goes on after a kill -9, and the plugin is there once',
  async () => {
    const createOf = (type: string) => () =>
      begin(ines, 'POST /api/databases', {
        ...{ name: `of ${type}`, type, serverId: linked.server.id, installPlugin: true },
      });
    const length = await lengthOf(linked, createOf('mysql'));
    for (const type of ['mongo', 'memcached']) {
      // Most of the time is the plugin's.
      const moment = Math.round(length * 0.8 * random());
      await killed(moment, length, 'database.create', createOf(type));
      expect(await named(`of ${type}`)).toMatchObject({ type, state: 'running' });
    }
    for (const { id, type } of await list())
      if (type !== 'postgres')
        await finish(await begin(ines, `POST /api/databases/${id}/delete`, { confirmation: 'delete' }));
  },
  withinMs,
);

test(
  'a link goes on after a kill -9 at any moment, and sets one variable',
  async () => {
    const first = await named('undisturbed');
    const link = (database: Database) => act(database, 'link', { appLongname: 'ledger' });
    const unlink = async (database: Database) =>
      finish(await act(database, 'unlink', { appLongname: 'ledger' }));
    const length = await lengthOf(linked, () => link(first));
    await unlink(first);
    for (const moment of spreadMoments(moments.link, length, random)) {
      await killed(moment, length, 'database.link', () => link(first));
      expect((await named('undisturbed')).links).toMatchObject([
        { appLongname: 'ledger', variable: 'DATABASE_URL' },
      ]);
      const { internal } = await read<ConnectionStrings>(`/api/databases/${first.id}/connection-strings`);
      const variables = JSON.parse(await host.dokku('config:export', '--format', 'json', 'ledger'));
      expect(Object.entries(variables).filter(([, value]) => value === internal)).toEqual([
        ['DATABASE_URL', internal],
      ]);
      await unlink(first);
    }
  },
  withinMs,
);

test(
  'an exposure goes on after a kill -9 at any moment, and the port leads to the database',
  async () => {
    const database = await named('undisturbed');
    const { ports } = await read<ExposureOffer>(`/api/databases/${database.id}/exposure`);
    const hostPorts = ports.map(({ hostPort }) => hostPort);
    const expose = () => act(database, 'expose', { address: '127.0.0.1', hostPorts });
    const unexpose = async () => finish(await act(database, 'unexpose'));
    const length = await lengthOf(linked, expose);
    await unexpose();
    for (const moment of spreadMoments(moments.exposure, length, random)) {
      const ended = await killed(moment, length, 'database.expose', expose);
      expect(ended.toasts.map(({ text }) => text)).toEqual(['Database exposed']);
      expect(await named('undisturbed')).toMatchObject({
        ports: [{ containerPort: 5432, address: '127.0.0.1', hostPort: hostPorts[0] }],
        exposureFails: false,
      });
      expect(await flagOf(database, 'exposed-ports')).toBe(`5432->127.0.0.1:${hostPorts[0]}`);
      await unexpose();
    }
  },
  withinMs,
);

test(
  'a deletion goes on after a kill -9 at any moment, and removes nothing else',
  async () => {
    const kept = await named('undisturbed');
    const doomed = (await list()).filter(({ id }) => id !== kept.id);
    const remove = (database: Database) =>
      act(database, 'delete', { confirmation: 'delete', unlinkAll: true });
    const [first, ...others] = doomed as [Database, ...Database[]];
    for (const database of doomed) await finish(await act(database, 'link', { appLongname: 'ledger' }));
    const linkedNow = await list();
    const length = await lengthOf(linked, () => remove(first));
    for (const [round, moment] of spreadMoments(others.length, length, random).entries()) {
      const database = linkedNow.find(({ id }) => id === others[round]?.id) as Database;
      await killed(moment, length, 'database.delete', () => remove(database));
      expect((await ines.call(`GET /api/databases/${database.id}`)).status).toBe(404);
      expect(await onServer()).not.toContain(database.longname);
    }
    expect((await list()).map(({ id }) => id)).toEqual([kept.id]);
    expect(await host.dokku('config:export', '--format', 'json', 'ledger')).not.toContain('postgres://');
  },
  withinMs,
);
