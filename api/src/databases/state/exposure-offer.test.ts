import { expect, test } from 'vitest';
import type { Run } from '../../remote/run-command.ts';
import { offerExposure } from './exposure-offer.ts';

const interfaces = `2: eth0    inet 93.184.216.34/24 brd 93.184.216.255 scope global eth0\\       valid_lft forever preferred_lft forever
2: eth0    inet6 2a01:4f8::24/64 scope global \\       valid_lft forever preferred_lft forever
3: ens10    inet 10.0.0.5/32 brd 10.0.0.5 scope global ens10\\       valid_lft forever preferred_lft forever
3: ens10    inet6 FD00:0:0::5/64 scope global \\       valid_lft forever preferred_lft forever
`;

test('a database is offered to the server itself, to its private networks of both kinds, and to everybody', async () => {
  const run: Run = async () => ({ exitCode: 0, stdout: interfaces, stderr: '' }) as never;
  const { addresses } = await offerExposure(run, { type: 'postgres' }, []);
  expect(addresses).toEqual([
    { address: '127.0.0.1', kind: 'loopback' },
    { address: '10.0.0.5', kind: 'private' },
    { address: 'fd00::5', kind: 'private' },
    { address: null, kind: 'everywhere' },
  ]);
});
