import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ceilings } from '@homeport/contract/limits';
import type { OperationState } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { appName, ps } from '@homeport/dokku';
import { type Owner, ownerFromSession } from '@homeport/store';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import type { ConnectionSource } from '../remote/server-access.ts';
import { plantServer } from '../testing/plant.ts';
import type { StartRequest } from './add-operation.ts';
import { type AnyOperationDefinition, defineOperation, type StepContext } from './definition.ts';
import { createOperationEngine, type OperationEngine } from './engine.ts';
import { findOperation } from './record.ts';
import { streamOperation } from './stream.ts';

let database: TestDatabase;
let owner: Owner;
const engines: OperationEngine[] = [];
let logged: object[];

beforeEach(async () => {
  database = await testDatabase();
  logged = [];
  const user = { id: randomUUID(), name: 'Ines', email: `${randomUUID()}@example.com`, emailVerified: true };
  await database.store.db.insertInto('auth.user').values(user).execute();
  owner = ownerFromSession(user.id);
});

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await database.close();
  expect(logged).toEqual([]);
});

type Runner = (context: StepContext<{ tag: string }>) => Promise<undefined>;

/** An operation with steps of the test. */
function definitionOf(steps: Record<string, Runner>): AnyOperationDefinition {
  return defineOperation<{ tag: string }>({
    kind: 'app.rebuild',
    input: z.object({ tag: z.string() }),
    title: ({ tag }) => `Rebuild ${tag}`,
    steps: () => Object.entries(steps).map(([key, run]) => ({ key, title: key, run })),
  });
}

const none: ConnectionSource = { find: () => null, onChange: () => () => {} };

async function engineWith(
  steps: Record<string, Runner>,
  { sole = false, connections = none } = {},
): Promise<OperationEngine> {
  const engine = await createOperationEngine({
    store: database.store,
    definitions: [definitionOf(steps)],
    connections,
    log: { error: (details, message) => logged.push({ message, details }) },
    sole,
    most: ceilings.operations,
  });
  engines.push(engine);
  return engine;
}

function openGate(): { passed: Promise<undefined>; open: () => void } {
  let open = () => {};
  const passed = new Promise<undefined>((resolve) => {
    open = () => resolve(undefined);
  });
  return { passed, open };
}

const request = (tag: string, lane = 'app:one', alsoLanes: readonly string[] = []): StartRequest => ({
  kind: 'app.rebuild',
  owner,
  sessionId: randomUUID(),
  lane,
  alsoLanes,
  input: { tag },
});

async function reaches(id: string, state: OperationState): Promise<Operation> {
  for (let tries = 0; tries < 3_000; tries++) {
    const operation = await findOperation(database.store.db, owner, id);
    if (operation?.state === state) return operation;
    await wait(10);
  }
  throw new Error(
    `The operation did not become ${state}: ${JSON.stringify(await findOperation(database.store.db, owner, id))}`,
  );
}

test('runs its steps in order and keeps their output', async () => {
  const engine = await engineWith({
    first: async (context) => {
      context.note('looked around');
      await context.remember({ found: 7 });
      return undefined;
    },
    second: async (context) => {
      context.note(`found ${context.facts.found}`);
      await context.toast('ok', 'App Rebuilt Successfully');
      return undefined;
    },
  });
  const { id } = await engine.start(request('a'));
  const operation = await reaches(id, 'succeeded');
  expect(operation.steps.map((step) => step.state)).toEqual(['done', 'done']);
  expect(operation.toasts).toEqual([{ tone: 'ok', text: 'App Rebuilt Successfully' }]);
  const lines = await database.store.db.selectFrom('operation_lines').selectAll().orderBy('seq').execute();
  expect(lines.map((line) => `${line.step}: ${line.text}`)).toEqual([
    'first: looked around',
    'second: found 7',
  ]);
});

test('a second operation of a lane waits visibly, and an operation of another lane does not wait', async () => {
  const gate = openGate();
  const engine = await engineWith({
    only: ({ input }) => (input.tag === 'slow' ? gate.passed : Promise.resolve(undefined)),
  });
  const slow = await engine.start(request('slow'));
  const queued = await engine.start(request('next'));
  const other = await engine.start(request('other', 'app:two'));
  await reaches(other.id, 'succeeded');
  expect(await reaches(queued.id, 'queued')).toMatchObject({
    waitingFor: { reason: 'operation', text: 'Waiting for Rebuild slow to finish' },
  });
  gate.open();
  await reaches(slow.id, 'succeeded');
  await reaches(queued.id, 'succeeded');
});

test('work that takes a second lane waits for it, and holds up the work of both lanes', async () => {
  const gates = { app: openGate(), link: openGate() };
  const engine = await engineWith({
    only: ({ input }) =>
      input.tag === 'app'
        ? gates.app.passed
        : input.tag === 'link'
          ? gates.link.passed
          : Promise.resolve(undefined),
  });
  const onApp = await engine.start(request('app', 'app:one'));
  const link = await engine.start(request('link', 'database:one', ['app:one']));
  const onDatabase = await engine.start(request('after', 'database:one'));
  expect(await reaches(link.id, 'queued')).toMatchObject({
    waitingFor: { text: 'Waiting for Rebuild app to finish' },
  });
  gates.app.open();
  await reaches(onApp.id, 'succeeded');
  await reaches(link.id, 'running');
  // Asked for before the link is over, so it has to wait for the link.
  const onAppAgain = await engine.start(request('again', 'app:one'));
  expect(await reaches(onAppAgain.id, 'queued')).toMatchObject({
    waitingFor: { text: 'Waiting for Rebuild link to finish' },
  });
  expect(await reaches(onDatabase.id, 'queued')).toMatchObject({ state: 'queued' });
  gates.link.open();
  for (const { id } of [link, onAppAgain, onDatabase]) await reaches(id, 'succeeded');
  expect(await database.store.db.selectFrom('held_lanes').selectAll().execute()).toEqual([]);
});

test('cancelled work of two lanes no longer holds up what came after it', async () => {
  const gate = openGate();
  const engine = await engineWith({
    only: ({ input }) => (input.tag === 'slow' ? gate.passed : Promise.resolve(undefined)),
  });
  const slow = await engine.start(request('slow', 'database:one'));
  const link = await engine.start(request('link', 'database:one', ['app:one']));
  const onApp = await engine.start(request('app', 'app:one'));
  await reaches(onApp.id, 'queued');
  await engine.cancel(owner, link.id);
  await reaches(onApp.id, 'succeeded');
  gate.open();
  await reaches(slow.id, 'succeeded');
});

test('operations that take the same two lanes in another order all end', async () => {
  let most = 0;
  const running = new Set<string>();
  const step: Runner = async ({ input }) => {
    running.add(input.tag);
    most = Math.max(most, running.size);
    await wait(5);
    running.delete(input.tag);
    return undefined;
  };
  const [one, two] = [await engineWith({ only: step }), await engineWith({ only: step })];
  const started = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      n % 2
        ? one.start(request(String(n), 'app:one', ['database:one']))
        : two.start(request(String(n), 'database:one', ['app:one'])),
    ),
  );
  for (const { id } of started) await reaches(id, 'succeeded');
  expect(most).toBe(1);
}, 60_000);

test('two processes never run two operations of one lane at once', async () => {
  let running = 0;
  let most = 0;
  const step: Runner = async () => {
    running += 1;
    most = Math.max(most, running);
    await wait(5);
    running -= 1;
    return undefined;
  };
  const [one, two] = [await engineWith({ only: step }), await engineWith({ only: step })];
  const started = await Promise.all(
    Array.from({ length: 8 }, (_, n) => (n % 2 ? one : two).start(request(String(n)))),
  );
  for (const { id } of started) await reaches(id, 'succeeded');
  expect(most).toBe(1);
}, 60_000);

test('running again goes on from the failed step and does not repeat a done step', async () => {
  const ran: string[] = [];
  const engine = await engineWith({
    first: async () => void ran.push('first') as undefined,
    second: async () => {
      ran.push('second');
      if (ran.length === 2) throw new ProblemError('remote_failed', 'It did not work.');
      return undefined;
    },
  });
  const { id } = await engine.start(request('a'));
  const failed = await reaches(id, 'failed');
  expect(failed.problem).toMatchObject({ code: 'remote_failed', message: 'It did not work.' });
  await engine.retry(owner, randomUUID(), id);
  const done = await reaches(id, 'succeeded');
  expect(ran).toEqual(['first', 'second', 'second']);
  expect(done.problem).toBeNull();
});

test('cancelling ends the running step, and the next operation of the lane begins', async () => {
  const engine = await engineWith({
    only: ({ input, signal }) =>
      input.tag === 'stuck' ? wait(60_000, undefined, { signal }) : Promise.resolve(undefined),
  });
  const stuck = await engine.start(request('stuck'));
  const next = await engine.start(request('next'));
  expect((await engine.cancel(owner, stuck.id)).state).toBe('cancelled');
  await reaches(next.id, 'succeeded');
});

test.each([
  [
    'hears of it',
    async (engine: OperationEngine, id: string) => {
      await engine.cancel(owner, id);
      // Nothing is left for its look every ten seconds.
      await database.store.db
        .updateTable('operations')
        .set({ cancel_asked: false })
        .where('id', '=', id)
        .execute();
    },
  ],
  [
    'missed the notification',
    (_engine: OperationEngine, id: string) =>
      database.store.db.updateTable('operations').set({ cancel_asked: true }).where('id', '=', id).execute(),
  ],
])('cancelled by another process, it ends in the one that runs it, which %s', async (_how, cancel) => {
  const gate = openGate();
  const steps: Record<string, Runner> = {
    only: ({ input, signal }) => {
      if (input.tag !== 'stuck') return Promise.resolve(undefined);
      gate.open();
      return wait(600_000, undefined, { signal });
    },
  };
  const [one, other] = [await engineWith(steps), await engineWith(steps)];
  const { id } = await one.start(request('stuck'));
  await gate.passed;
  await cancel(other, id);
  await reaches(id, 'cancelled');
  const again = await one.start(request('next'));
  await reaches(again.id, 'succeeded');
});

test('the operations of a vanished process are interrupted and can be run again', async () => {
  const { db } = database.store;
  const engine = await engineWith({ only: () => Promise.resolve(undefined) });
  const { id } = await engine.start(request('a'));
  await reaches(id, 'succeeded');
  await db
    .updateTable('operations')
    .set({
      state: 'running',
      replica_id: randomUUID(),
      steps: JSON.stringify(
        (await findOperation(db, owner, id))?.steps.map((step) => ({ ...step, state: 'running' })),
      ),
    })
    .execute();
  const later = await engineWith({ only: () => Promise.resolve(undefined) }, { sole: true });
  await reaches(id, 'interrupted');
  await later.retry(owner, randomUUID(), id);
  await reaches(id, 'succeeded');
});

test('an operation whose end could not be recorded on a full store is interrupted once there is space', async () => {
  const { db } = database.store;
  const gate = openGate();
  let tries = 0;
  const engine = await engineWith({
    only: async () => {
      tries += 1;
      return tries === 1 ? gate.passed : undefined;
    },
  });
  const { id } = await engine.start(request('a'));
  await reaches(id, 'running');
  await sql`create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$`.execute(db);
  await sql`create trigger full_disk before update on operations execute function refuse()`.execute(db);
  gate.open();
  await expect.poll(() => logged).toMatchObject([{ message: 'an operation could not be recorded' }]);
  expect(await findOperation(db, owner, id)).toMatchObject({ state: 'running' });
  await sql`drop trigger full_disk on operations`.execute(db);
  await expect
    .poll(async () => (await findOperation(db, owner, id))?.state, { timeout: 20_000 })
    .toBe('interrupted');
  await engine.retry(owner, randomUUID(), id);
  await reaches(id, 'succeeded');
  logged = logged.filter((line) => !('message' in line && String(line.message).includes('recorded')));
  // The process checks every ten seconds. The check that met the full store was logged too.
  logged = logged.filter((line) => !('message' in line && String(line.message).includes('looked for')));
});

test('reports that the server rebooted between two commands', async () => {
  const { id: serverId } = await plantServer(database.store.db, owner, {});
  let bootId: string | null = 'before';
  const exec = () =>
    Promise.resolve({
      exitCode: 0,
      signal: null,
      stdout: '',
      stderr: '',
      startedAt: 0,
      durationMs: 0,
      truncated: false,
    });
  const connections = {
    find: () => ({ exec, bootId, facts: { hostKeyType: '', hostKeyBlob: '' } }),
    onChange: () => () => {},
  };
  const boots = ['before', null, 'before', 'after', 'after'];
  const engine = await engineWith(
    {
      only: async (context) => {
        for (const boot of boots) {
          bootId = boot;
          await context.run('root', ps.restart(appName('lamp')));
        }
        return undefined;
      },
    },
    { connections },
  );
  const { id } = await engine.start({ ...request('a'), serverId });
  await reaches(id, 'succeeded');
  const lines = await database.store.db
    .selectFrom('operation_lines')
    .select('text')
    .where('operation_id', '=', id)
    .where('stream', '=', 'note')
    .execute();
  expect(lines).toEqual([{ text: 'The server was restarted since its last command.' }]);
});

test('a step that meets another schema says so, and the log names what was not there', async () => {
  const engine = await engineWith({
    only: async () => {
      await sql`select from no_such_table`.execute(database.store.db);
      return undefined;
    },
  });
  const { id } = await engine.start(request('shop'));
  const { problem } = await reaches(id, 'failed');
  expect(problem).toMatchObject({ code: 'unavailable', message: expect.stringContaining('another version') });
  expect(logged).toMatchObject([
    { message: 'a step of an operation failed', details: { operationId: id, step: 'only' } },
  ]);
  expect(logged[0]).toHaveProperty('details.err.message', expect.stringContaining('no_such_table'));
  logged = [];
});

test('a log ends at eight million characters, over all runs of its operation', async () => {
  const engine = await engineWith({
    only: async (context) => {
      for (let n = 0; n < 1_300; n++) context.note('x'.repeat(4_000));
      throw new ProblemError('remote_failed', 'It did not work.');
    },
  });
  const { id } = await engine.start(request('a'));
  await reaches(id, 'failed');
  await engine.retry(owner, randomUUID(), id);
  await reaches(id, 'failed');
  const lines = await database.store.db
    .selectFrom('operation_lines')
    .select('text')
    .where('operation_id', '=', id)
    .orderBy('seq')
    .execute();
  expect(lines.length).toBeLessThan(2_010);
  expect(lines.at(-1)?.text).toBe('The log is full: later lines are not kept.');
});

test('another person’s operation is not found', async () => {
  const engine = await engineWith({ only: () => Promise.resolve(undefined) });
  const { id } = await engine.start(request('a'));
  const stranger = ownerFromSession(randomUUID());
  await expect(engine.cancel(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(engine.retry(stranger, randomUUID(), id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a reader that comes back sees each line once, in order', async () => {
  const gate = openGate();
  const engine = await engineWith({
    only: async (context) => {
      for (let n = 1; n <= 2_500; n++) context.note(`line ${n}`);
      await gate.passed;
      for (let n = 2_501; n <= 3_000; n++) context.note(`line ${n}`);
      return undefined;
    },
  });
  const { id } = await engine.start(request('a'));
  const bells = new Set<() => void>();
  const stopListening = await database.store.listener.on('operation', () => {
    for (const ring of bells) ring();
  });
  const subscribe = (_id: string, ring: () => void) => {
    bells.add(ring);
    return () => bells.delete(ring);
  };
  const seen: string[] = [];
  const read = async (after: number, until: number): Promise<number> => {
    let last = after;
    const leave = new AbortController();
    for await (const item of streamOperation(database.store.db, owner, id, after, subscribe, leave.signal)) {
      last = Number(item.id);
      if (item.data.type === 'lines') seen.push(...item.data.lines.map((line) => line.text));
      if (seen.length >= until) break;
    }
    return last;
  };
  const left = await read(0, 1_000);
  gate.open();
  await read(left, Number.POSITIVE_INFINITY);
  stopListening();
  expect(seen).toEqual(Array.from({ length: 3_000 }, (_, n) => `line ${n + 1}`));
});
