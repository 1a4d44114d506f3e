import type { Database } from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, type TestVisitor } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { runToEnd, succeeded } from '../testing/page.ts';

let linked: LinkedConsole;
let ines: TestVisitor;
beforeAll(async () => {
  linked = await startLinkedConsole({ plugins: ['acl', 'letsencrypt', 'postgres'] });
  ({ ines } = linked);
}, 60_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

/** A creation whose database never got ready, so that its name is taken on the server. */
async function failedCreation(name: string): Promise<Operation & { longname: string }> {
  const { sandbox } = linked.host;
  sandbox.setFault('service', true);
  const made = { name, type: 'postgres', serverId: linked.server.id };
  const { operation } = await runToEnd(ines, 'POST /api/databases', made);
  sandbox.setFault('service', false);
  const { longname } = operation;
  if (operation.state !== 'failed' || longname === null) throw new Error('The creation did not fail.');
  return { ...operation, longname };
}

const left = async () =>
  bodyOf<Operation[]>(await ines.call('GET /api/operations?remains=true'), 200).map(({ id }) => id);
const remove = (id: string) => runToEnd(ines, `POST /api/operations/${id}/remove-remains`);
const services = () => linked.host.dokku('postgres:list');

test('what a failed creation left is removed when a person asks, and its name is free', async () => {
  const { id, longname } = await failedCreation('orders');
  expect(await left()).toEqual([id]);
  expect(await services()).toContain(longname);
  const operation = succeeded(await remove(id));
  expect(operation.toasts.map(({ text }) => text)).toEqual(['Remains removed']);
  expect(await services()).not.toContain(longname);
  expect(await left()).toEqual([]);
  // The creation can run again all the same, under its name.
  succeeded(await runToEnd(ines, `POST /api/operations/${id}/retry`));
  expect(await services()).toContain(longname);
}, 60_000);

test('nothing is offered where the image could not be fetched, which leaves nothing', async () => {
  const made = { name: 'broken', type: 'postgres', serverId: linked.server.id, imageVersion: '0.0.1' };
  const { operation } = await runToEnd(ines, 'POST /api/databases', made);
  expect(operation.state).toBe('failed');
  expect(await left()).toEqual([]);
}, 60_000);

test('a database that somebody else made under the name since stays, also when the creation runs again', async () => {
  const { id, longname } = await failedCreation('invoices');
  await linked.host.dokku('postgres:destroy', longname, '--force');
  await linked.host.dokku('postgres:create', longname);
  for (const { operation } of [await remove(id), await runToEnd(ines, `POST /api/operations/${id}/retry`)])
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict', message: expect.stringContaining('is not what this creation left') },
    });
  expect(await services()).toContain(longname);
}, 60_000);

test('remains that an app is linked to stay', async () => {
  const { id, longname } = await failedCreation('linked');
  await linked.host.dokku('apps:create', 'ledger');
  await linked.host.dokku('postgres:link', longname, 'ledger', '--no-restart');
  const { operation } = await remove(id);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { code: 'conflict', message: expect.stringContaining('linked to ledger') },
  });
  expect(await services()).toContain(longname);
}, 60_000);

test('a database that was imported since is not removed behind its record', async () => {
  const { id, longname } = await failedCreation('imported');
  const databases = [{ type: 'postgres', longname }];
  succeeded(await runToEnd(ines, `POST /api/servers/${linked.server.id}/import-databases`, { databases }));
  const { operation } = await remove(id);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('Homeport lists the database') },
  });
  const listed = bodyOf<Database[]>(await ines.call('GET /api/databases'), 200);
  expect(listed.map((each) => each.longname)).toContain(longname);
  expect(await services()).toContain(longname);
}, 60_000);

test('only the owner of the creation can ask, and only for a creation that ended early', async () => {
  const { id, longname } = await failedCreation('mine');
  const grace = await linked.api.signUp('grace');
  expect(await grace.call(`POST /api/operations/${id}/remove-remains`)).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(bodyOf<Operation[]>(await grace.call('GET /api/operations?remains=true'), 200)).toEqual([]);
  succeeded(await runToEnd(ines, `POST /api/operations/${id}/retry`));
  expect(await ines.call(`POST /api/operations/${id}/remove-remains`)).toMatchObject({
    status: 409,
    body: { message: 'This creation has run again since. Nothing was removed.' },
  });
  expect(await services()).toContain(longname);
}, 60_000);
