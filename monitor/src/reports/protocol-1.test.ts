import { expect, test } from 'vitest';
import { testMonitor } from '../testing.ts';
import { fromForm, readForm } from './protocol-1.ts';

/** The values of a report in their order, as reference recordings have them. */
const values = [
  '0.7.7',
  '86400',
  '2',
  '89',
  'root 1.5 1024 a b;www-data 0.0 2048 kworker/1:0-events;',
  '1184',
  '9223372036854775807',
  '6.1.0-30-amd64',
  'Debian GNU/Linux',
  'x64',
  'AMD EPYC',
  '4',
  '2445.404',
  '4000',
  '3000',
  '2000',
  '500',
  '/dev/sda1 100 50; /dev/sdb1 200 20;',
  '300',
  '70',
  '17',
  'eth0',
  '192.0.2.2',
  'N/A',
  '1000',
  '500',
  '0',
  '0',
  '0.50 0.40 0.30',
  '7',
  '1',
  '12.3',
  '0',
  '180.25',
];

/** As the agent writes it: base64 without padding, `/` and `+` escaped, fields joined by raw spaces. */
const encode = (fields: readonly (string | Buffer)[]) =>
  fields
    .map((field) =>
      Buffer.from(field).toString('base64').replaceAll('=', '').replaceAll('/', '%2F').replaceAll('+', '%2B'),
    )
    .join(' ');
const data = (fields: readonly (string | Buffer)[]) => readForm(`token=t&data=${encode(fields)}`)?.data ?? '';
const replaced = (field: number, value: string | Buffer) =>
  values.map((old, index) => (index === field - 1 ? value : old));

test('reads each of the 34 fields into its own value', () => {
  expect(fromForm(data(values), 5)).toMatchObject({
    ts: 5,
    seq: null,
    uptime: 86_400,
    net: { eth0: [1000, 500] },
    given: { loadCpu: 7, loadIo: 1 },
    pings: { eu: 12.3, us: null, as: 180.25 },
    stats: {
      agent_version: '0.7.7',
      sessions: 2,
      processes: 89,
      processes_array: [
        { user: 'root', cpu: 1.5, rss: 1_048_576, name: 'a b' },
        { user: 'www-data', cpu: 0, rss: 2_097_152, name: 'kworker/1:0-events' },
      ],
      file_handles_limit: Number.MAX_SAFE_INTEGER,
      ram_total: 4000,
      ram_usage: 3000,
      swap_usage: 500,
      disk_total: 300,
      disk_usage: 70,
      disk_array: [
        { device: '/dev/sda1', mount: null, total: 100, used: 50 },
        { device: '/dev/sdb1', mount: null, total: 200, used: 20 },
      ],
      load: [0.5, 0.4, 0.3],
      ipv6: null,
    },
  });
});

test('takes an empty value as a field, and refuses a report with a missing or surplus field', () => {
  expect(fromForm(data(replaced(22, '')), 0)).toMatchObject({ stats: { nic: null } });
  expect(fromForm(data(values.slice(0, 33)), 0)).toBeNull();
  expect(fromForm(data([...values, 'x']), 0)).toBeNull();
});

test.each(['-5', 'NaN', 'Infinity', '1e999', '', 'x'])('the number %j counts as unknown', (value) => {
  expect(fromForm(data(replaced(14, value)), 0)).toMatchObject({
    stats: { ram_total: null, ram_usage: null },
  });
});

test('bounds endless lists and replaces bytes that are no text', () => {
  const hostile = fromForm(data(replaced(11, Buffer.from([0xff, 0x00, 0x41]))), 0);
  expect(hostile?.stats.cpu_name).toBe('\ufffd\ufffdA');
  const long = fromForm(data(replaced(5, 'u 1 1 n;'.repeat(50_000))), 0);
  expect(long?.stats.processes_array).toHaveLength(40);
});

test('stores reports of the unchanged NodeQuery agent, with gaps from its counters and the same body once a minute', async () => {
  await using monitor = await testMonitor();
  const { token, monitorId, owner } = await monitor.addServer('old');
  const post = (fields: readonly (string | Buffer)[], as = token) =>
    monitor.app.inject({
      method: 'POST',
      url: '/api/agent.json',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${as}&data=${encode(fields)}`,
    });
  expect((await post(values)).json()).toMatchObject({ status: 'ok', accepted: 1 });
  monitor.clock.now += 5_000;
  expect((await post(values)).json()).toMatchObject({ accepted: 0, repeated: 1 });
  monitor.clock.now += 175_000;
  expect((await post(replaced(25, '10000'))).json()).toMatchObject({ accepted: 1 });
  const dump = await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } });
  expect(dump.json()).toMatchObject({ rx_gap: 9000, gap_seconds: 180, ram_percent: 75, load_percent: 12.5 });
  expect((await post(values.slice(1))).statusCode).toBe(400);
  expect((await post(values, 'unknown_0123456789abcdef')).statusCode).toBe(401);
});
