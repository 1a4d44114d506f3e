import { expect, test } from 'vitest';
import { makeReport, testMonitor } from '../testing.ts';

const step = 180_000;

async function start() {
  const monitor = await testMonitor();
  const server = await monitor.addServer('web');
  const client = await monitor.database.store.pool.connect();
  const told: unknown[] = [];
  client.on('notification', ({ payload }) => told.push(JSON.parse(payload ?? '')));
  await client.query('listen changed');
  return {
    id: server.id,
    told,
    async report(more: object) {
      monitor.clock.now += step;
      const { status } = await monitor.post(server.token, [makeReport(monitor.clock.now, { ...more })]);
      const { rows } = await client.query<{ provider: string | null }>('select provider from servers');
      return [status, rows[0]?.provider];
    },
    async [Symbol.asyncDispose]() {
      client.release(true);
      await monitor[Symbol.asyncDispose]();
    },
  };
}

test('the provider that a machine names stands in its server’s record, and its pages hear of it once', async () => {
  await using fleet = await start();
  expect(await fleet.report({})).toEqual([200, null]);
  const machine = { sys_vendor: 'Hetzner', product_name: 'vServer', bios_version: null };
  expect(await fleet.report({ machine })).toEqual([200, 'Hetzner']);
  expect(await fleet.report({ machine })).toEqual([200, 'Hetzner']);
  expect(fleet.told).toMatchObject([{ topic: 'servers', id: fleet.id }]);
});

test('an older agent, which names nothing, leaves the provider as it is', async () => {
  await using fleet = await start();
  await fleet.report({ machine: { sys_vendor: 'Hetzner' } });
  expect(await fleet.report({})).toEqual([200, 'Hetzner']);
  expect(await fleet.report({ machine: null })).toEqual([200, 'Hetzner']);
});

test('a machine that names no provider any more has none', async () => {
  await using fleet = await start();
  await fleet.report({ machine: { sys_vendor: 'Hetzner' } });
  expect(await fleet.report({ machine: { sys_vendor: 'QEMU' } })).toEqual([200, null]);
});

test('a name that is too long makes a report damaged', async () => {
  await using fleet = await start();
  expect(await fleet.report({ machine: { sys_vendor: 'H'.repeat(129) } })).toEqual([400, null]);
});
