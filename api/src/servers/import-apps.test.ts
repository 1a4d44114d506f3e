import type { App } from '@homeport/contract/apps/schema';
import { ceilings } from '@homeport/contract/limits';
import { makeKey, signerFor, startSshd } from '@homeport/ssh/testing';
import { expect, it } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { linkServer } from '../testing/link-server.ts';

it('imports the apps of a server with 9,000 in parts, up to the ceiling of one person', async () => {
  const key = makeKey();
  await using sshd = await startSshd({
    authorizedKeys: [key.publicKeyLine],
    // The server answers every command with names of apps.
    config: { ForceCommand: 'seq -f app-%05g 1 9000' },
  });
  await using api = await startTestApi({ ceilings: { ...ceilings, apps: 700 } });
  const ada = await api.signUp('ada');
  const link = await linkServer(api.url, ada, { ...key, sshd, signer: signerFor(key.privateKeyPem) });
  await link.connect();
  const again = () => ada.call(`POST /api/servers/${link.server.id}/import`, {});

  expect(await again()).toMatchObject({ status: 200, body: { imported: 500, left: 8_500 } });
  const both = await Promise.all([again(), again()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both).toContainEqual(expect.objectContaining({ body: { imported: 200, left: 8_300 } }));
  const refused = both.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({
    code: 'limit_reached',
    message: expect.stringMatching(/^You have 700 apps, .* what you have is kept\.$/),
  });
  const apps = (await ada.call('GET /api/apps')).body as App[];
  expect(new Set(apps.map(({ longname }) => longname)).size).toBe(700);
  expect((await ada.call(`GET /api/servers/${link.server.id}/apps`)).body).toHaveLength(9_000);
}, 90_000);
