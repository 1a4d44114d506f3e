import type { SecurityEvent } from '@homeport/contract/account/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { randomName } from '../testing/plant.ts';

let api: TestApi;
let ines: TestPerson;
beforeAll(async () => {
  api = await startTestApi();
  ines = await api.signUp('ines');
});
afterAll(() => api?.[Symbol.asyncDispose]());

const kinds = async () =>
  bodyOf<SecurityEvent[]>(await ines.call('GET /api/security-events'), 200).map(({ kind }) => kind);

it('terminals on a server are off, and are off again when it gets another user', async () => {
  const added = { name: 'shed', ip: '192.0.2.40', credential: 'password', subdomain: randomName() };
  const server = bodyOf<Server>(await ines.call('POST /api/servers', added), 201);
  expect(server.shellAllowed).toBe(false);
  const allowed = bodyOf<Server>(await ines.call(`POST /api/servers/${server.id}/shell/allow`), 200);
  expect(allowed.shellAllowed).toBe(true);
  const edit = async (changes: object, { version }: Server) =>
    bodyOf<Server>(await ines.call(`PATCH /api/servers/${server.id}`, { version, ...changes }), 200);
  const renamed = await edit({ name: 'hut', username: server.username }, allowed);
  expect(renamed.shellAllowed).toBe(true);
  expect((await edit({ username: 'deploy' }, renamed)).shellAllowed).toBe(false);
  expect((await kinds()).slice(0, 2)).toEqual(['shell_forbidden', 'shell_allowed']);
});
