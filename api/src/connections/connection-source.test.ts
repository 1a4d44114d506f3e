import type { Server } from '@homeport/contract/servers';
import { makeKey, signerFor, startSshd } from '@homeport/ssh/testing';
import { expect, test, vi } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { openAsPage } from '../testing/page.ts';

test('a connection that came or went is told to all pages of its owner', async () => {
  const key = makeKey();
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const stored = await ada.call('POST /api/keys', { name: 'desk', publicKey: key.publicKeyLine });
  const added = await ada.call('POST /api/servers', {
    ...{ name: 'pier', ip: sshd.host, port: sshd.port, username: sshd.user, subdomain: 'pier' },
    credential: (stored.body as { id: string }).id,
  });
  const { id } = added.body as Server;
  const told: unknown[] = [];
  await api.store.listener.on('changed', (change) => {
    if (change.topic === 'connections') told.push(change);
  });
  const change = { owner: ada.userId, topic: 'connections', id };

  const signer = signerFor(key.privateKeyPem);
  const opened = await openAsPage(api.url, ada, { id, user: sshd.user }, signer, sshd.hostKeyFingerprint);
  expect(opened).toMatchObject({ type: 'ready' });
  await vi.waitFor(() => expect(told).toEqual([change]), 5_000);

  // As when the server was started anew: nobody asked for it.
  await sshd.kill();
  await vi.waitFor(() => expect(told).toEqual([change, change]), 5_000);
  expect((await ada.call('GET /api/connections')).body).toEqual([]);
});
