import { makeKey, signerFor, startSshd } from '@homeport/ssh/testing';
import { expect, test, vi } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { linkServer } from '../testing/link-server.ts';

test('a connection that came or went is told to all pages of its owner', async () => {
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
  await vi.waitFor(() => expect(told).toEqual([change]), 5_000);

  // As when the server was started anew: nobody asked for it.
  await sshd.kill();
  await vi.waitFor(() => expect(told).toEqual([change, change]), 5_000);
  expect((await ada.call('GET /api/connections')).body).toEqual([]);
});
