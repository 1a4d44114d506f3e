import { randomUUID } from 'node:crypto';
import {
  isOver,
  listedStates,
  type OperationKind,
  type OperationState,
  operationStates,
} from '@homeport/contract/operations/facts';
import { operationKinds } from '@homeport/contract/operations/kinds';
import { ownerFromSession } from '@homeport/store';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plantServer } from '../testing/plant.ts';
import { interruptWhere } from './interrupt-orphans.ts';
import { queueAgain } from './queue-again.ts';
import { findOperation, listOperations } from './record.ts';
import { takeOver } from './take-over.ts';

/** What stands of the setup of a server that is being installed once an operation of the kind ended early on it. */
const setupAfter: Record<OperationKind, 'failed' | 'installing'> = {
  'server.install': 'failed',
  'server.add-dokku': 'installing',
  'server.reinstall-agent': 'installing',
  'server.update-account': 'installing',
  'server.plugin': 'installing',
  'server.global-domain': 'installing',
  'server.follow-address': 'installing',
  'server.remove': 'installing',
  'server.import': 'installing',
  'server.import-databases': 'installing',
  'app.create': 'installing',
  'app.start': 'installing',
  'app.stop': 'installing',
  'app.restart': 'installing',
  'app.rebuild': 'installing',
  'app.destroy': 'installing',
  'app.plan': 'installing',
  'app.domain-add': 'installing',
  'app.domain-remove': 'installing',
  'app.https': 'installing',
  'app.storage': 'installing',
  'app.ports': 'installing',
  'app.scale': 'installing',
  'app.restart-process': 'installing',
  'app.process-rules': 'installing',
  'app.checks': 'installing',
  'app.push-keys': 'installing',
  'app.site': 'installing',
  'app.run': 'installing',
  'app.run-stop': 'installing',
  'app.cron-suspend': 'installing',
  'app.cron-resume': 'installing',
  'app.cron-run': 'installing',
  'app.remove-left-containers': 'installing',
  'app.release-serve': 'installing',
  'app.release-remove': 'installing',
  'app.continuous': 'installing',
  'app.continuous-remove': 'installing',
  'app.deploy-commit': 'installing',
  'app.go-back': 'installing',
  'app.deploy-key-remove': 'installing',
  'database.create': 'installing',
  'database.remove-remains': 'installing',
  'database.start': 'installing',
  'database.stop': 'installing',
  'database.restart': 'installing',
  'database.link': 'installing',
  'database.unlink': 'installing',
  'database.promote': 'installing',
  'database.expose': 'installing',
  'database.unexpose': 'installing',
  'database.delete': 'installing',
  'database.dump': 'installing',
  'database.restore': 'installing',
  'database.backup': 'installing',
  'database.backup-client': 'installing',
  'database.test': 'installing',
};

let database: TestDatabase;
let userId: string;

beforeAll(async () => {
  database = await testDatabase();
  userId = randomUUID();
  const user = { id: userId, name: 'Ines', email: `${userId}@example.com`, emailVerified: true };
  await database.store.db.insertInto('auth.user').values(user).execute();
});
afterAll(() => database.close());

/** A server that is being installed, with a running operation of the kind. */
async function running(kind: (typeof operationKinds)[number]) {
  const { db } = database.store;
  const server = await plantServer(db, userId);
  await db.updateTable('servers').set({ setup: 'installing' }).where('id', '=', server.id).execute();
  const { id } = await db
    .insertInto('operations')
    .values({
      owner_id: userId,
      session_id: randomUUID(),
      kind,
      title: kind,
      state: 'running',
      lane: randomUUID(),
      server_id: server.id,
      server_key: server.key,
      steps: '[]',
      input: '{}',
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const setup = async () =>
    (await db.selectFrom('servers').select('setup').where('id', '=', server.id).executeTakeFirstOrThrow())
      .setup;
  return { id, setup };
}

const early = operationStates.filter(
  (state): state is OperationState => isOver(state) && state !== 'succeeded',
);

describe.each(operationKinds)('%s', (kind) => {
  test.each(early)(
    'that is %s leaves no server that is being installed for ever, and touches no other',
    async (state) => {
      const { id, setup } = await running(kind);
      await database.store.db
        .updateTable('operations')
        .set({ state, ended_at: Date.now() })
        .where('id', '=', id)
        .execute();
      expect(await setup()).toBe(setupAfter[kind]);
    },
  );
});

/** Who asks for the work, and how the console that takes it queues it. */
const asking = () => ({
  owner: ownerFromSession(userId),
  sessionId: randomUUID(),
  replicaId: randomUUID(),
  most: 10_000,
});

describe.each(operationKinds)('%s in the lists of the console', (kind) => {
  test.each(early)(
    'that is %s stands in its server’s list, in the header as far as it can go on, and runs again',
    async (state) => {
      const { db } = database.store;
      const owner = ownerFromSession(userId);
      const { id } = await running(kind);
      await db.updateTable('operations').set({ state, ended_at: Date.now() }).where('id', '=', id).execute();
      const operation = await findOperation(db, owner, id);
      if (!operation?.serverId) throw new Error('The operation is there.');
      const { serverId } = operation;
      expect(await listOperations(db, owner, { serverId })).toEqual([operation]);
      const active = await listOperations(db, owner, { serverId, active: true });
      const listed: readonly OperationState[] = listedStates;
      expect(active).toEqual(listed.includes(state) ? [operation] : []);
      await queueAgain(db, operation, asking());
      expect((await findOperation(db, owner, id))?.state).toBe('queued');
    },
  );

  test('whose sign-in has ended waits in the header, and another sign-in takes it over', async () => {
    const { db } = database.store;
    const owner = ownerFromSession(userId);
    const { id, setup } = await running(kind);
    await db.updateTable('operations').set({ state: 'waiting' }).where('id', '=', id).execute();
    expect(await setup()).toBe('installing');
    const serverId = (await findOperation(db, owner, id))?.serverId ?? undefined;
    expect(await listOperations(db, owner, { serverId, active: true })).toHaveLength(1);
    const { sessionId } = asking();
    await takeOver(db, { owner, sessionId, id });
    expect((await findOperation(db, owner, id))?.sessionId).toBe(sessionId);
  });
});

test('an installation that is tried again marks its server once more, and a second early end takes the mark back', async () => {
  const { db } = database.store;
  const owner = ownerFromSession(userId);
  const { id, setup } = await running('server.install');
  await db.updateTable('operations').set({ state: 'failed' }).where('id', '=', id).execute();
  expect(await setup()).toBe('failed');
  const operation = await findOperation(db, owner, id);
  if (!operation) throw new Error('The operation is there.');
  await queueAgain(db, operation, asking());
  expect(await setup()).toBe('installing');
  await db.updateTable('operations').set({ state: 'cancelled' }).where('id', '=', id).execute();
  expect(await setup()).toBe('failed');
});

test('an installation whose console vanished can be begun again, and the pages hear of it', async () => {
  const { id, setup } = await running('server.install');
  const heard: unknown[] = [];
  const owner = ownerFromSession(userId);
  const stop = await database.store.listener.on('changed', (change) => heard.push(change));
  await interruptWhere(database.store.db, (eb) => eb('id', '=', id));
  expect(await setup()).toBe('failed');
  await expect.poll(() => heard).toContainEqual(expect.objectContaining({ owner, topic: 'servers' }));
  stop();
});
