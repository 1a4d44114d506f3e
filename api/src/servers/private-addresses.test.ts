import { expect, test } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { createTargetPolicy } from '../remote/target-policy.ts';

test('a console for other machines links no server on a private, link-local or loopback address', async () => {
  await using api = await startTestApi({ loopback: false, allowPrivateTargets: false });
  const ines = await api.signUp('ines');
  const link = (ip: string) =>
    ines.call('POST /api/servers', { name: 'web', ip, credential: 'password', subdomain: 'web' });
  for (const ip of ['10.0.0.5', '192.168.1.9', '169.254.169.254', '127.0.0.1', '100.64.0.1'])
    expect(await link(ip), ip).toMatchObject({ status: 400, body: { fields: { ip: expect.any(String) } } });
  expect(await link('93.184.216.34')).toMatchObject({ status: 201 });
});

test('of the console’s own machine only the port of logins can be linked', async () => {
  const own = createTargetPolicy(false, [7070], (address) => address === '93.184.216.34');
  expect(own.refuses('93.184.216.34', 22)).toBeNull();
  expect(own.refuses('93.184.216.35', 2222)).toBeNull();
  expect(own.refuses('93.184.216.34', 2222)?.kind).toBe('own_port');
  expect(own.refuses('::ffff:93.184.216.34', 6379)?.kind).toBe('own_port');
});

test('a console on the loopback links a server there, but neither the console itself nor a metadata service', async () => {
  await using api = await startTestApi();
  const ines = await api.signUp('ines');
  const link = (ip: string, port: number) =>
    ines.call('POST /api/servers', {
      ...{ name: 'web', ip, port, credential: 'password', subdomain: `web${port}`, otherMachine: true },
    });
  expect(await link('127.0.0.1', 2222)).toMatchObject({ status: 201 });
  for (const [ip, port] of [
    ['127.0.0.1', 7070],
    ['169.254.169.254', 22],
    ['168.63.129.16', 22],
    ['0.0.0.0', 22],
  ] as const)
    expect(await link(ip, port), ip).toMatchObject({
      status: 400,
      body: { fields: { ip: expect.any(String) } },
    });
});
