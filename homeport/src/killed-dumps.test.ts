import { createHash, randomInt, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { begin, bodyOf, followToEnd, succeeded, type TestVisitor } from '@homeport/api/testing';
import type { Backups, ServerSchedule } from '@homeport/contract/backups/schema';
import type { Database, Dump, Dumps } from '@homeport/contract/databases/schema';
import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer, temporaryFolder } from '../testing/console-process.ts';
import { askHost, type HostWithDokku } from '../testing/host-with-dokku.ts';
import { killAt, lengthOf } from '../testing/killed-work.ts';
import { type LinkedProcess, startLinkedProcess } from '../testing/linked-process.ts';
import { drawnMoments, seededRandom, spreadMoments } from '../testing/seeded-moments.ts';

/** More than twenty moments in all by `npm run test:deep`. A restore has the most to lose. */
const moments = {
  restore: drawnMoments(6),
  dump: drawnMoments(4),
  test: drawnMoments(4),
  upload: drawnMoments(4),
  schedule: drawnMoments(4),
  import: drawnMoments(4),
};
/** The host's waiting times, as a part of a real host's: long enough for a kill in the middle. */
const pace = 0.05;
const withinMs = 480_000;

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
const random = seededRandom(seed);

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let linked: LinkedProcess;
let host: HostWithDokku;
let ines: TestVisitor;
let ledger: Database;

beforeAll(async () => {
  buildServer();
  data = await temporaryFolder();
  linked = await startLinkedProcess(data.path, { only: 'api', pace });
  ({ ines } = linked);
  host = askHost(linked.host);
  await finish(await begin(ines, `POST /api/servers/${linked.server.id}/install`));
  const body = { name: 'ledger', type: 'postgres', serverId: linked.server.id };
  await finish(await begin(ines, 'POST /api/databases', body));
  [ledger] = bodyOf<[Database]>(await ines.call('GET /api/databases'), 200);
}, 240_000);

afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

const finish = async ({ id }: Operation) => succeeded(await followToEnd(ines, id));
const address = (rest = '') => `/api/databases/${ledger.id}/dumps${rest}`;
const place = (...path: string[]) => join(linked.host.sandbox.root, 'lib', ...path);
const held = () => place('services/postgres', ledger.longname, 'data/held-by-the-sandbox');
const rows = (text: string) => `PGDMP ${text}\n`;
const hold = (text: string) => writeFileSync(held(), rows(text));
const sum = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const make = () => begin(ines, `POST ${address()}`);

async function listed(): Promise<Extract<Dumps, { kind: 'listed' }>> {
  const dumps = bodyOf<Dumps>(await ines.call(`GET ${address()}`), 200);
  if (dumps.kind !== 'listed') throw new Error('The server lists no dumps.');
  return dumps;
}

/** Each dump that the page lists lies whole on the server, and nothing else lies beside them. */
async function expectWholeDumps(): Promise<Dump[]> {
  const folder = place('data/homeport/dumps/postgres', ledger.longname);
  // The command that lists removes what ended commands left.
  await expect
    .poll(async () => {
      await listed();
      return readdirSync(folder).filter((name) => name.startsWith('.partial'));
    })
    .toEqual([]);
  const { dumps } = await listed();
  const files = readdirSync(folder).filter((name) => !name.startsWith('.'));
  expect(files.toSorted()).toEqual(dumps.map(({ id }) => id).toSorted());
  for (const { id, sha256 } of dumps) expect(sum(readFileSync(join(folder, id, 'dump')))).toBe(sha256);
  return dumps;
}

/** The record of the database stays, and says what the server says. */
async function expectTruth(): Promise<void> {
  const all = bodyOf<Database[]>(await ines.call('GET /api/databases'), 200);
  expect(all.find(({ id }) => id === ledger.id)).toMatchObject({ state: 'running' });
  expect((await host.dokku('postgres:info', ledger.longname, '--status')).trim()).toBe('running');
}

const killed = (moment: number, lengthMs: number, kind: OperationKind, work: () => Promise<Operation>) =>
  killAt({ linked, host, seed, expectTruth }, { moment, lengthMs, kind }, work);

test(
  'a dump goes on after a kill -9 at any moment, and is made once',
  async () => {
    hold('undisturbed');
    const length = await lengthOf(linked, make);
    for (const [round, moment] of spreadMoments(moments.dump, length, random).entries()) {
      hold(`dumped ${round}`);
      const { id } = await killed(moment, length, 'database.dump', make);
      const dumps = await expectWholeDumps();
      const made = dumps.filter(({ sha256 }) => sha256 === sum(rows(`dumped ${round}`)));
      expect(made.map((dump) => dump.id)).toEqual([id]);
    }
  },
  withinMs,
);

test(
  'a restore goes on after a kill -9 at any moment, and the state before it is kept',
  async () => {
    hold('wanted');
    const wanted = await finish(await make());
    const restore = () =>
      begin(ines, `POST ${address(`/${wanted.id}/restore`)}`, { confirmation: 'restore' });
    hold('before');
    const length = await lengthOf(linked, restore);
    for (const [round, moment] of spreadMoments(moments.restore, length, random).entries()) {
      hold(`before ${round}`);
      const { id } = await killed(moment, length, 'database.restore', restore);
      expect(readFileSync(held(), 'utf8')).toBe(rows('wanted'));
      const kept = (await expectWholeDumps()).filter(({ sha256 }) => sha256 === sum(rows(`before ${round}`)));
      expect(kept).toMatchObject([{ id, origin: 'before_restore' }]);
    }
  },
  withinMs,
);

test(
  'a restore test goes on after a kill -9 at any moment, is made once, and leaves no database behind',
  async () => {
    hold('proven');
    const dump = await finish(await make());
    const prove = () => begin(ines, `POST ${address(`/${dump.id}/test`)}`);
    const length = await lengthOf(linked, prove);
    for (const moment of spreadMoments(moments.test, length, random)) {
      const { id } = await killed(moment, length, 'database.test', prove);
      const { tests } = await listed();
      expect(tests.filter((each) => each.id === id)).toMatchObject([{ dumpId: dump.id, outcome: 'same' }]);
      expect(readdirSync(place('services/postgres'))).toEqual([ledger.longname]);
      expect(readdirSync(place('data/homeport/tests'))).toEqual([]);
      expect(readFileSync(held(), 'utf8')).toBe(rows('proven'));
    }
  },
  withinMs,
);

test(
  'an upload that a kill -9 breaks off leaves nothing, and another one is whole',
  async () => {
    const bytes = new Uint8Array(Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(24 << 20, 'lamps')]));
    const send = (id: string) =>
      ines.open(`PUT ${address(`/${id}`)}`, {
        body: bytes,
        headers: { 'content-type': 'application/octet-stream' },
      });
    const from = performance.now();
    expect((await send(randomUUID())).status).toBe(201);
    const length = performance.now() - from;
    for (const moment of spreadMoments(moments.upload, length, random)) {
      const id = randomUUID();
      const answer = send(id).catch(() => null);
      await passes(moment);
      linked.console.child.kill('SIGKILL');
      await linked.console.ended;
      const confirmed = (await answer)?.status === 201;
      await linked.startAgain();
      await linked.connect();
      const there = (await expectWholeDumps()).find((dump) => dump.id === id);
      // A dump that was confirmed is not lost. One that was not may be whole.
      if (confirmed || there) expect(there, `KILL_SEED=${seed}`).toMatchObject({ sha256: sum(bytes) });
      expect((await send(randomUUID())).status).toBe(201);
      await expectTruth();
    }
  },
  withinMs,
);

test(
  'a schedule whose writing a kill -9 breaks off is the old or the new one, whole, and the page learns which',
  async () => {
    const path = `/api/databases/${ledger.id}/schedule`;
    const put = (minute: number) =>
      ines.call(`PUT ${path}`, {
        cron: `${minute} 3 * * *`,
        paused: false,
        keepCount: 3,
        keepDays: null,
        restoreTest: 'never',
        target: { kind: 'server' },
      });
    const folder = place('data/homeport/schedules/postgres', ledger.longname);
    const crontab = () => readFileSync(join(linked.host.sandbox.root, 'crontab'), 'utf8');
    const from = performance.now();
    expect((await put(0)).status).toBe(200);
    const length = performance.now() - from;
    let old = 0;
    for (const [round, moment] of spreadMoments(moments.schedule, length, random).entries()) {
      const next = round + 1;
      const answer = put(next).catch(() => null);
      await passes(moment);
      linked.console.child.kill('SIGKILL');
      await linked.console.ended;
      const confirmed = (await answer)?.status === 200;
      await linked.startAgain();
      await linked.connect();
      // A command that goes on unseen ends first.
      await expect.poll(() => host.workingOn(ledger.longname), { timeout: 10_000 }).toEqual([]);
      const known = bodyOf<Backups>(await ines.call(`POST ${path}/refresh`), 200);
      const told = bodyOf<ServerSchedule>(await ines.call(`GET ${path}`), 200);
      if (told.kind !== 'told') throw new Error('The server tells no schedule.');
      const seen = `KILL_SEED=${seed}, killed after ${moment} of ${Math.round(length)} ms`;
      expect(confirmed ? [next] : [old, next], seen).toContain(Number(told.schedule?.cron.split(' ')[0]));
      expect(known, seen).toMatchObject({ unsure: false, schedule: { cron: told.schedule?.cron } });
      expect((await put(next)).status).toBe(200);
      expect(readdirSync(folder), seen).toEqual(['schedule']);
      expect(crontab(), seen).toContain(
        `\n${next} 3 * * * dokku homeport:backup postgres ${ledger.longname} `,
      );
      old = next;
      await expectTruth();
    }
  },
  withinMs,
);

test(
  'an import of databases goes on after a kill -9 at any moment, and makes one record of each',
  async () => {
    const take = (longname: string) => () =>
      begin(ines, `POST /api/servers/${linked.server.id}/import-databases`, {
        databases: [{ type: 'postgres', longname }],
      });
    await host.dokku('postgres:create', 'found-first');
    const length = await lengthOf(linked, take('found-first'));
    for (const [round, moment] of spreadMoments(moments.import, length, random).entries()) {
      const longname = `found-${round}`;
      await host.dokku('postgres:create', longname);
      await killed(moment, length, 'server.import-databases', take(longname));
      const all = bodyOf<Database[]>(await ines.call('GET /api/databases'), 200);
      expect(all.filter((each) => each.longname === longname)).toMatchObject([{ imported: true }]);
    }
  },
  withinMs,
);
