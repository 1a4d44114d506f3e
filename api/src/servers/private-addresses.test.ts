import { expect, test } from 'vitest';
import { startTestApi } from '../http/testing.ts';

test('a console for other machines links no server on a private, link-local or loopback address', async () => {
  await using api = await startTestApi({ loopback: false, allowPrivateTargets: false });
  const ines = await api.signUp('ines');
  const link = (ip: string) =>
    ines.call('POST /api/servers', { name: 'web', ip, credential: 'password', subdomain: 'web' });
  for (const ip of ['10.0.0.5', '192.168.1.9', '169.254.169.254', '127.0.0.1', '100.64.0.1'])
    expect(await link(ip), ip).toMatchObject({ status: 400, body: { fields: { ip: expect.any(String) } } });
  expect(await link('93.184.216.34')).toMatchObject({ status: 201 });
});
