import type { Key } from '@homeport/contract/credentials/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi, type TestPerson, type TestVisitor } from '../http/testing.ts';
import { plantServer, randomPublicKey } from '../testing/plant.ts';

describe('stored keys', () => {
  let api: TestApi;
  let ada: TestPerson;
  let eve: TestPerson;
  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.signUp('ada');
    eve = await api.signUp('eve');
  });
  afterAll(() => api[Symbol.asyncDispose]());
  const add = async (person: TestVisitor, name: string, line = randomPublicKey()) => {
    const answer = await person.call('POST /api/keys', { name, publicKey: line });
    return { ...answer, key: answer.body as Key };
  };
  const list = async (person: TestVisitor) => (await person.call('GET /api/keys')).body as Key[];

  it('are listed with their fingerprints and without their comment, and can be removed', async () => {
    const line = randomPublicKey();
    const { status, key } = await add(ada, ' laptop ', `${line} ada@laptop`);
    expect([status, key]).toMatchObject([
      201,
      {
        name: 'laptop',
        publicKey: line,
        algorithm: 'ssh-ed25519',
        usedBy: [],
        fingerprint: expect.stringMatching(/^SHA256:.{43}$/),
      },
    ]);
    expect(await list(ada)).toContainEqual(key);
    expect(await list(eve)).toEqual([]);
    expect(await ada.call(`DELETE /api/keys/${key.id}`)).toMatchObject({
      status: 200,
      body: { removed: true },
    });
    expect(await list(ada)).toEqual([]);
    expect((await ada.call(`DELETE /api/keys/${key.id}`)).status).toBe(404);
  });

  it('are stored once per person, however often they are added at once', async () => {
    const line = randomPublicKey();
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => add(ada, name, line)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'conflict',
      fields: { publicKey: 'You have already added this key.' },
    });
    expect((await add(eve, 'the same key', line)).status).toBe(201);
  });

  it('name the servers that use them, and can be removed anyway', async () => {
    const { key } = await add(ada, 'used');
    const server = await plantServer(api.store.db, ada.userId, { credential: key.id });
    expect((await list(ada)).find(({ id }) => id === key.id)?.usedBy).toEqual([
      { id: server.id, key: server.key, name: server.name },
    ]);
    expect((await ada.call(`DELETE /api/keys/${key.id}`)).status).toBe(200);
    const kept = await api.store.db
      .selectFrom('servers')
      .select('credential')
      .where('id', '=', server.id)
      .executeTakeFirst();
    expect(kept?.credential).toBe(key.id);
  });

  it.each([
    ['nothing', {}, ['name', 'publicKey']],
    ['a name alone', { name: 'a' }, ['publicKey']],
    [
      'a private key',
      { name: 'a', publicKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n-----END' },
      ['publicKey'],
    ],
    ['a command', { name: 'a', publicKey: `$(touch /tmp/x) '; rm -rf /` }, ['publicKey']],
    ['two lines', { name: 'a', publicKey: `${randomPublicKey()}\n${randomPublicKey()}` }, ['publicKey']],
    ['options before the key', { name: 'a', publicKey: `command="sh" ${randomPublicKey()}` }, ['publicKey']],
    ['a NUL in the comment', { name: 'a\u0000', publicKey: randomPublicKey() }, ['name']],
    ['20 kB', { name: 'a', publicKey: `${randomPublicKey()} ${'x'.repeat(20_000)}` }, ['publicKey']],
    [
      'a key whose inside is another',
      { name: 'a', publicKey: randomPublicKey().replace('ssh-ed25519', 'ssh-rsa') },
      ['publicKey'],
    ],
    ['a number', { name: 'a', publicKey: 42 }, ['publicKey']],
  ])('are not made of %s, and the field says so', async (_what, body, fields) => {
    const before = await list(ada);
    const answer = await ada.call('POST /api/keys', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect(Object.keys((answer.body as { fields: object }).fields)).toEqual(fields);
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|touch/);
    expect(await list(ada)).toEqual(before);
  });
});
