import type { LiveConnection } from '@homeport/contract/connections/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { ConnectionPool, openConnection } from '@homeport/ssh';
import { keyLogin, makeKey, signerFor, startSshd } from '@homeport/ssh/testing';
import { expect, test, vi } from 'vitest';
import { bodyOf, password, startTestApi } from '../http/testing.ts';
import { linkServer } from '../testing/link-server.ts';
import { begin, followToEnd, openAsPage } from '../testing/page.ts';
import { createConnectionSource } from './connection-source.ts';

test('an opened or closed connection notifies all pages of its owner', async () => {
  const key = makeKey();
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const signer = signerFor(key.privateKeyPem);
  const link = await linkServer(api.url, ada, { ...key, sshd, signer });
  const told: unknown[] = [];
  await api.store.listener.on('changed', (change) => {
    if (change.topic === 'connections') told.push(change);
  });
  const change = { owner: ada.userId, topic: 'connections', id: link.server.id };

  await link.connect();
  await vi.waitFor(() => expect(told).toEqual([change]), 20_000);

  // The connection ends without a request, as after a reboot of the server.
  await sshd.kill();
  await vi.waitFor(() => expect(told).toEqual([change, change]), 20_000);
  expect((await ada.call('GET /api/connections')).body).toEqual([]);
});

test('a second sign-in of the same person never acts over the connection of the first', async () => {
  const key = makeKey();
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const link = await linkServer(api.url, ada, { ...key, sshd, signer: signerFor(key.privateKeyPem) });
  const thief = api.visitor();
  bodyOf(await thief.call('POST /api/auth/sign-in/email', { email: ada.email, password }), 200);
  const firewall = `POST /api/servers/${link.server.id}/firewall`;
  const refused = { status: 409, body: { code: 'connection_required' } };

  expect(await thief.call(firewall, {})).toMatchObject(refused);
  await link.connect();
  expect(await ada.call(firewall, {})).toMatchObject({ status: 200 });
  expect(await thief.call(firewall, {})).toMatchObject(refused);
  expect((await thief.call('GET /api/connections')).body).toEqual([]);
  const closed = await thief.call(`DELETE /api/servers/${link.server.id}/connection`);
  expect(closed.body).toEqual({ closed: false });
  expect((await ada.call('GET /api/connections')).body).toMatchObject([{ serverId: link.server.id }]);

  const { id } = await begin(thief, `POST /api/servers/${link.server.id}/agent`);
  const waits = { state: 'waiting', waitingFor: { reason: 'connection', user: sshd.user } };
  await vi.waitFor(
    async () => expect((await thief.call(`GET /api/operations/${id}`)).body).toMatchObject(waits),
    20_000,
  );
});

test('an operation of an ended sign-in goes on where the person continues it', async () => {
  const key = makeKey();
  // Every command fails, because the operation must not install an agent on the machine that runs the tests.
  await using sshd = await startSshd({
    authorizedKeys: [key.publicKeyLine],
    config: { ForceCommand: '/bin/false' },
  });
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const signer = signerFor(key.privateKeyPem);
  const { server } = await linkServer(api.url, ada, { ...key, sshd, signer });
  const { id, sessionId } = await begin(ada, `POST /api/servers/${server.id}/agent`);
  const read = async () => bodyOf<Operation>(await again.call(`GET /api/operations/${id}`), 200);

  const again = api.visitor();
  bodyOf(await again.call('POST /api/auth/sign-in/email', { email: ada.email, password }), 200);
  bodyOf(await ada.call('POST /api/auth/sign-out', {}), 200);
  await vi.waitFor(async () => expect((await read()).state).toBe('waiting'), 20_000);
  await openAsPage(api.url, again, { id: server.id, user: sshd.user }, signer, sshd.hostKeyFingerprint);
  expect(await read()).toMatchObject({ state: 'waiting', sessionId });

  const heard: unknown[] = [];
  await api.store.listener.on('changed', (change) => heard.push(change));
  const taken = bodyOf<Operation>(await again.call(`POST /api/operations/${id}/continue`, {}), 200);
  expect(taken.sessionId).not.toBe(sessionId);
  const { lines } = await followToEnd(again, id);
  expect(heard).toContainEqual({ owner: ada.userId, topic: 'operations', id });
  expect(lines.map(({ text }) => text)).toContain(
    'Another sign-in of yours took this over. The work continues over the connection of that sign-in.',
  );
  const [connection] = bodyOf<LiveConnection[]>(await again.call('GET /api/connections'), 200);
  expect(connection?.lastUsedAt).toBeGreaterThan(connection?.openedAt ?? 0);
  expect(await again.call(`POST /api/operations/${id}/continue`, {})).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
}, 60_000);

test('a connection of a terminal ends with its token, and the token is asked about while it is held', async () => {
  const key = makeKey();
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  const pool = new ConnectionPool();
  const source = createConnectionSource(pool);
  const open = (endsWith: string) =>
    pool.open({ owner: 'ada', sessionId: `of ${endsWith}`, serverId: 'one', user: sshd.user, endsWith }, () =>
      openConnection(keyLogin(sshd, signerFor(key.privateKeyPem))),
    );
  try {
    const [ended, other] = [await open('token'), await open('token2')];
    expect(pool.sessionIds()).toEqual(['token', 'token2']);
    source.leaveSession('token');
    source.endSession('token');
    expect([ended.usable, other.usable]).toEqual([false, true]);
    await vi.waitFor(() => expect(pool.sessionIds()).toEqual(['token2']), 20_000);
  } finally {
    pool.dispose();
  }
});
