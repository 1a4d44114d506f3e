import { messages } from '@homeport/contract/messages';
import { formerSubdomains } from '@homeport/contract/servers/facts';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { randomName } from '../../testing/plant.ts';

let api: TestApi;
let ines: TestPerson;
let otto: TestPerson;
let test = 0;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
});
beforeEach(async () => {
  test += 1;
  ines = await api.signUp(randomName());
  otto = await api.signUp(randomName());
});
afterAll(() => api?.[Symbol.asyncDispose]());

const add = (person: TestPerson, subdomain: string, ip = `192.0.2.${test}`) =>
  person.call('POST /api/servers', { name: 'shed', ip, credential: 'password', subdomain });
const linked = async (person: TestPerson, subdomain: string) =>
  bodyOf<Server>(await add(person, subdomain), 201);
const rename = ({ id, version, ip }: Server, subdomain: string) =>
  ines.call(`PUT /api/servers/${id}/address`, { version, ip, port: 22, subdomain });
const renamed = async (server: Server, subdomain: string) =>
  bodyOf<{ server: Server }>(await rename(server, subdomain), 200).server;
const claimedFor = async (person: TestPerson) =>
  bodyOf<{ claimed: string[] }>(await person.call('GET /api/subdomains'), 200).claimed;
const refusal = (text: unknown) => ({ status: 400, body: { fields: { subdomain: text } } });

describe('a subdomain that a server gave up', () => {
  it('is free for nobody else, whether a server is added or changed', async () => {
    const [old, present] = [randomName(), randomName()];
    await renamed(await linked(ines, old), present);
    expect(await add(otto, old)).toMatchObject(refusal(messages.subdomainClaimed));
    const { id, version, ip } = await linked(otto, randomName());
    expect(
      await otto.call(`PUT /api/servers/${id}/address`, { version, ip, port: 22, subdomain: old }),
    ).toMatchObject(refusal(messages.subdomainClaimed));
    expect(await claimedFor(otto)).toEqual(expect.arrayContaining([old, present]));
  });

  it('may be taken back by its person, and is claimed then', async () => {
    const [old, present] = [randomName(), randomName()];
    const server = await renamed(await linked(ines, old), present);
    expect(await claimedFor(ines)).not.toContain(old);
    expect((await renamed(server, old)).subdomain).toBe(old);
    bodyOf(await add(ines, present, `198.51.100.${test}`), 201);
    expect(
      await api.store.db
        .selectFrom('former_subdomains')
        .selectAll()
        .where('owner_id', '=', ines.userId)
        .execute(),
    ).toEqual([]);
  });

  it('is one of five at most, and one of them may be taken in place of another', async () => {
    const [first, ...names] = Array.from({ length: formerSubdomains + 1 }, () => randomName());
    let server = await linked(ines, String(first));
    for (const each of names) server = await renamed(server, each);
    expect(await rename(server, randomName())).toMatchObject(refusal(expect.stringContaining(String(first))));
    expect((await renamed(server, String(first))).subdomain).toBe(first);
  });

  it('is not reserved where the change was refused', async () => {
    const [old, present] = [randomName(), randomName()];
    const server = await linked(ines, old);
    expect(await rename({ ...server, version: 7 }, present)).toMatchObject({ status: 409 });
    expect((await renamed(server, present)).subdomain).toBe(present);
  });
});
