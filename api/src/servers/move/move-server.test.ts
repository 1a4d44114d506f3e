import { messages } from '@homeport/contract/messages';
import { routes } from '@homeport/contract/routes';
import type { Server } from '@homeport/contract/servers/schema';
import { scopeOfRoute } from '@homeport/contract/tokens/route-scope';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { plantOneOfEach, randomName } from '../../testing/plant.ts';

let api: TestApi;
let ines: TestPerson;
beforeAll(async () => {
  api = await startTestApi();
  ines = await api.signUp('ines');
});
afterAll(() => api?.[Symbol.asyncDispose]());

const link = async (ip: string) =>
  bodyOf<Server>(
    await ines.call('POST /api/servers', {
      ...{ name: 'shed', ip, credential: 'password', subdomain: randomName() },
    }),
    201,
  );
const move = ({ id, version }: Pick<Server, 'id' | 'version'>, place: { ip: string; port?: number }) =>
  ines.call(`PUT /api/servers/${id}/address`, { version, port: 22, ...place });
const movedBy = (answer: Awaited<ReturnType<typeof move>>) => bodyOf<{ server: Server }>(answer, 200).server;
const become = (id: string, facts: { setup: 'ready'; global_domains?: string[] }) =>
  api.store.db.updateTable('servers').set(facts).where('id', '=', id).execute();

describe('another address of a server', () => {
  it('is kept, and with it the host key that proves the machine', async () => {
    const server = await link('192.0.2.10');
    const key = { from: null, to: `SHA256:${'A'.repeat(43)}`, algorithm: 'ssh-ed25519' };
    bodyOf(await ines.call(`PUT /api/servers/${server.id}/host-key`, key), 200);
    const moved = movedBy(await move(server, { ip: '192.0.2.11', port: 2222 }));
    expect(moved).toMatchObject({
      ip: '192.0.2.11',
      port: 2222,
      git: { host: '192.0.2.11' },
      hostKeyFingerprint: key.to,
    });
  });

  it('is judged as that of a new server', async () => {
    const server = await link('192.0.2.20');
    for (const [ip, port] of [
      ['169.254.169.254', 22],
      ['127.0.0.1', 7070],
    ] as const)
      expect(await move(server, { ip, port }), ip).toMatchObject({
        status: 400,
        body: { fields: { ip: expect.any(String) } },
      });
  });

  it('is refused where another server of the person has it', async () => {
    const [server, other] = [await link('192.0.2.30'), await link('192.0.2.31')];
    expect(await move(server, { ip: other.ip })).toMatchObject({
      status: 400,
      body: { fields: { ip: messages.ipExists } },
    });
  });

  it('waits for the work on the server to end', async () => {
    const server = await link('192.0.2.40');
    bodyOf(await ines.call(`POST /api/servers/${server.id}/install`), 202);
    expect(await move(server, { ip: '192.0.2.41' })).toMatchObject({ status: 409, body: { code: 'busy' } });
  });

  it('is a port, too, that another server of the person may have', async () => {
    const [one, other] = [await link('127.0.0.32'), await link('127.0.0.33')];
    bodyOf(await move(other, { ip: one.ip, port: 23 }), 200);
    expect(await move(one, { ip: one.ip, port: 23 })).toMatchObject({
      status: 400,
      body: { fields: { ip: messages.ipExists } },
    });
  });

  it('is an event that names it, and is no business of a token', async () => {
    const server = await link('192.0.2.80');
    movedBy(await move(server, { ip: '192.0.2.81' }));
    const events = bodyOf<{ kind: string; subject: string | null }[]>(
      await ines.call('GET /api/security-events'),
      200,
    );
    expect(events[0]).toMatchObject({ kind: 'server_moved', subject: 'shed, 192.0.2.81:22' });
    bodyOf(await move({ ...server, version: 2 }, { ip: '2001:DB8::81' }), 200);
    const [latest] = bodyOf<typeof events>(await ines.call('GET /api/security-events'), 200);
    expect(latest).toMatchObject({ subject: 'shed, [2001:db8::81]:22' });
    expect(scopeOfRoute('PUT /api/servers/:id/address', routes['PUT /api/servers/:id/address'])).toEqual({
      kind: 'person',
    });
  });

  it('leaves the machine its global domain, and the page asks about it', async () => {
    const server = await link('192.0.2.50');
    await become(server.id, { setup: 'ready' });
    expect(movedBy(await move(server, { ip: '192.0.2.51' })).globalDomains).toEqual({
      found: ['192.0.2.50.sslip.io'],
      kept: false,
    });
    const own = await link('192.0.2.60');
    await become(own.id, { setup: 'ready', global_domains: ['example.com'] });
    expect(movedBy(await move(own, { ip: '192.0.2.61' })).globalDomains?.found).toEqual(['example.com']);
  });

  it('of somebody else’s server is no answer at all', async () => {
    const otto = await api.signUp('otto');
    const { servers } = await plantOneOfEach(api.store.db, otto.userId);
    expect(await move({ id: servers, version: 1 }, { ip: '192.0.2.70' })).toMatchObject({ status: 404 });
  });
});
