import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Dumps } from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { lacksRealDatabases } from '@homeport/sandbox/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';

// Restore tests as operations, on real servers of PostgreSQL.

let linked: LinkedConsole;
let database: Database;

beforeAll(async () => {
  linked = await startLinkedConsole({ plugins: ['acl', 'letsencrypt', 'postgres'], databases: 'real' });
  const { ines, server } = linked;
  succeeded(await runToEnd(ines, `POST /api/servers/${server.id}/install`));
  const body = { name: 'orders', type: 'postgres', serverId: server.id };
  succeeded(await runToEnd(ines, 'POST /api/databases', body));
  [database] = bodyOf<[Database]>(await ines.call('GET /api/databases'), 200);
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const run = async (key: string): Promise<Operation> => (await runToEnd(linked.ines, key)).operation;
const address = (rest = '') => `/api/databases/${database.id}/dumps${rest}`;

async function listed(): Promise<Extract<Dumps, { kind: 'listed' }>> {
  const dumps = bodyOf<Dumps>(await linked.ines.call(`GET ${address()}`), 200);
  if (dumps.kind !== 'listed') throw new Error('The server lists no dumps.');
  return dumps;
}

/** Dumps, and tests the dump after `change` got the folder that holds it. */
async function tested(change: (folder: string) => void = () => {}): Promise<Operation> {
  const { id } = await run(`POST ${address()}`);
  change(join(linked.host.sandbox.root, 'lib/data/homeport/dumps/postgres', database.longname, id));
  return run(`POST ${address(`/${id}/test`)}`);
}

describe.skipIf(lacksRealDatabases)('a restore test', () => {
  test('says what the restored dump holds, and the list of dumps tells it', async () => {
    const operation = await tested();
    expect(operation).toMatchObject({
      kind: 'database.test',
      state: 'succeeded',
      toasts: [{ text: 'Restore proven' }],
    });
    expect(operation.steps.map(({ title }) => title)).toEqual([
      'Look for the dump',
      'Restore it into a database made for the test',
      'Compare what is there with the dump',
    ]);
    expect(operation.steps[2]?.note).toBe(
      'The restored dump holds 0 tables, 0 rows, as the database did when the dump was made.',
    );
    expect((await listed()).tests).toMatchObject([
      { id: operation.id, outcome: 'same', found: { parts: 0, entries: 0 } },
    ]);
  });

  test('fails where the restored dump holds something else, and the page keeps why', async () => {
    const operation = await tested((folder) => writeFileSync(join(folder, 'counts'), '3 7 9\n'));
    expect(operation).toMatchObject({
      state: 'failed',
      problem: {
        message:
          'The restored dump holds 0 tables, 0 rows. When it was made, the database held 3 tables, between 7 and 9 rows.',
      },
    });
    expect((await listed()).tests[0]).toMatchObject({ id: operation.id, outcome: 'different' });
  });

  test('that could not restore is made again when it is run again', async () => {
    linked.host.sandbox.setFault('pull', true);
    const failed = await tested();
    expect(failed).toMatchObject({
      state: 'failed',
      problem: { message: expect.stringContaining('The database for the test could not be made.') },
    });
    linked.host.sandbox.setFault('pull', false);
    expect(await run(`POST /api/operations/${failed.id}/retry`)).toMatchObject({ state: 'succeeded' });
    expect((await listed()).tests.map(({ outcome }) => outcome).slice(0, 2)).toEqual(['same', 'failed']);
  });

  test('leaves no database on the server, and offers none for import', async () => {
    const found = bodyOf(await linked.ines.call(`GET /api/servers/${linked.server.id}/found-databases`), 200);
    expect(found).toEqual([]);
    expect((await linked.host.dokku('--quiet', 'postgres:list')).trim()).toBe(database.longname);
  });
});
