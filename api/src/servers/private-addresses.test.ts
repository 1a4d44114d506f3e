import { messages } from '@homeport/contract/messages';
import { expect, test } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { createTargetPolicy } from '../remote/target-policy.ts';
import { randomName } from '../testing/plant.ts';

test('a console for other machines links no server on a private, link-local or loopback address', async () => {
  await using api = await startTestApi({ loopback: false, allowPrivateTargets: false });
  const ines = await api.signUp('ines');
  const link = (ip: string) =>
    ines.call('POST /api/servers', { name: 'web', ip, credential: 'password', subdomain: 'web' });
  const refused = ['10.0.0.5', '192.168.1.9', '169.254.169.254', '127.0.0.1', '100.64.0.1'];
  const refused6 = ['::1', 'fd00::5', 'fe80::1', '64:ff9b::a00:5', '2002:a00:5::1', '::ffff:10.0.0.5'];
  for (const ip of [...refused, ...refused6])
    expect(await link(ip), ip).toMatchObject({ status: 400, body: { fields: { ip: expect.any(String) } } });
  expect(await link('93.184.216.34')).toMatchObject({ status: 201 });
});

test('an IPv6 address is one machine in every spelling, and has no country', async () => {
  await using api = await startTestApi({ loopback: false, allowPrivateTargets: false });
  const ines = await api.signUp('ines');
  const link = (ip: string) =>
    ines.call('POST /api/servers', { name: 'web', ip, credential: 'password', subdomain: randomName() });
  expect(await link('2606:2800:0220:0001:0:0:0:2')).toMatchObject({
    status: 201,
    body: { ip: '2606:2800:220:1::2', git: { host: '2606:2800:220:1::2' }, country: null },
  });
  for (const ip of ['2606:2800:220:1::2', '[2606:2800:220:1::2]', '2606:2800:220:1::0002'])
    expect(await link(ip), ip).toMatchObject({ status: 400, body: { fields: { ip: messages.ipExists } } });
});

test('of the console’s own machine only the port of logins can be linked', async () => {
  const own = createTargetPolicy(false, [7070], { isOwn: (address) => address === '93.184.216.34' });
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
