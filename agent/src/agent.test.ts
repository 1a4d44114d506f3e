import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startReceiver } from './receiver.testing.ts';

// The machine may be busy, and each test waits for other programs.
vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);
const program = fileURLToPath(new URL('../programs/homeport-agent.sh', import.meta.url));
const token = 'canary_0123456789abcdefABCDEF';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-agent-test-'));
  await writeFile(join(folder, 'token'), `${token}\n`, { mode: 0o600 });
});
afterEach(() => rm(folder, { recursive: true }));

async function configure(url: string, extra: Record<string, string> = {}) {
  const settings = {
    url,
    token_file: join(folder, 'token'),
    state_dir: join(folder, 'state'),
    ping_eu: 'none',
    ping_us: 'none',
    ping_asia: 'none',
    ...extra,
  };
  const path = join(folder, 'agent.conf');
  await writeFile(
    path,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return path;
}

async function report(url: string, extra: Record<string, string> = {}, env = process.env) {
  return run('bash', [program, '--once', '--config', await configure(url, extra)], { env, timeout: 30_000 });
}

const spooled = async () => (await readdir(join(folder, 'state/spool'))).sort();

test('one run posts one report with the token in the authorization header, compressed', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url);
  expect(hub.posts).toHaveLength(1);
  const [post] = hub.posts;
  expect(post?.url).toBe('/api/v2/report');
  expect(post?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'content-encoding': 'gzip' });
  expect(post?.reports[0]).toMatchObject({ v: 2, interval: 180 });
  expect(await spooled()).toEqual([]);
});

test('the report agrees with /proc', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url);
  const meminfo = await readFile('/proc/meminfo', 'utf8');
  const total = Number(/MemTotal:\s+(\d+)/.exec(meminfo)?.[1]) * 1024;
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  expect(hub.posts[0]?.reports[0]).toMatchObject({
    boot_id: boot,
    mem: { total, available: expect.any(Number) },
    cpu_jiffies: Array.from({ length: 8 }, () => expect.any(Number)),
    load: [expect.any(Number), expect.any(Number), expect.any(Number)],
  });
});

test('keeps reports while the console is unreachable, and sends them later, oldest first and each once', async () => {
  const refused = await startReceiver(() => ({ status: 200 }));
  const { url, port } = refused;
  await refused[Symbol.asyncDispose]();
  for (let turn = 0; turn < 3; turn++) {
    await rm(join(folder, 'state/retry'), { force: true });
    await report(url);
  }
  expect(await spooled()).toHaveLength(3);
  await rm(join(folder, 'state/retry'));
  await using hub = await startReceiver(() => ({ status: 200 }), port);
  await report(url);
  const numbers = hub.posts.flatMap((post) => post.reports.map((one) => one.seq));
  expect(numbers).toHaveLength(4);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(await spooled()).toEqual([]);
});

test('keeps at most 480 reports and sends at most 50 in one post', async () => {
  const spool = join(folder, 'state/spool');
  await mkdir(spool, { recursive: true });
  for (let seq = 1; seq <= 485; seq++)
    await writeFile(join(spool, `${String(seq).padStart(20, '0')}.json`), `{"seq":${seq}}\n`);
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url);
  const sizes = hub.posts.map((post) => post.reports.length);
  expect(Math.max(...sizes)).toBe(50);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(480);
  expect(hub.posts[0]?.reports[0]?.seq).toBe(7);
});

test('obeys Retry-After', async () => {
  await using hub = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '1200' } }));
  await report(hub.url);
  await report(hub.url);
  expect(hub.posts).toHaveLength(1);
  expect(await spooled()).toHaveLength(2);
  const [, notBefore] = (await readFile(join(folder, 'state/retry'), 'utf8')).trim().split(' ');
  expect(Number(notBefore) - Date.now() / 1000).toBeGreaterThan(1100);
});

test('keeps reports when the console asks to wait, and sends them when the wait is over', async () => {
  const taken: number[] = [];
  let posts = 0;
  await using hub = await startReceiver(({ reports }) => {
    posts += 1;
    if (posts === 1) return { status: 429, headers: { 'retry-after': '1' } };
    taken.push(...reports.map((one) => one.seq));
    return { status: 200 };
  });
  await report(hub.url);
  const [kept] = await spooled();
  expect(kept).toBeDefined();
  await expect
    .poll(
      async () => {
        await report(hub.url);
        return spooled();
      },
      { timeout: 20_000 },
    )
    .toEqual([]);
  expect(taken[0]).toBe(Number.parseInt(kept ?? '', 10));
  expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
});

test('drops only the report that the console refuses', async () => {
  const spool = join(folder, 'state/spool');
  await mkdir(spool, { recursive: true });
  for (const seq of [1, 2, 3, 4])
    await writeFile(join(spool, `${String(seq).padStart(20, '0')}.json`), `{"seq":${seq}}\n`);
  const taken: number[] = [];
  await using hub = await startReceiver(({ reports }) => {
    if (reports.some((one) => one.seq === 2)) return { status: 400 };
    taken.push(...reports.map((one) => one.seq));
    return { status: 200 };
  });
  await report(hub.url);
  expect(taken.filter((seq) => seq < 10)).toEqual([1, 3, 4]);
  expect(taken).toHaveLength(4);
});

/** The count of processor time that the agent keeps of a process: `pid:start ticks` (proc(5), `stat`, field 22 for the start). */
async function countOf({ pid }: ChildProcess, ticks: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${pid}:${start} ${ticks}`;
}

/** Every process of this machine as `countOf` writes it, with the processor time that it has used. */
async function countsOfAll(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return stat === '' ? [] : [`${pid}:${fields[19]} ${Number(fields[11]) + Number(fields[12])}`];
    }),
  );
  return lines.flat();
}

test('a process that began a moment ago has the share of the whole time since the last report', async () => {
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  const uptime = Math.round(Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]) * 100);
  const secondsSince = 100;
  await mkdir(join(folder, 'state'));
  await writeFile(
    join(folder, 'state/processes'),
    `${[`${boot} ${uptime - secondsSince * 100}`, ...(await countsOfAll())].join('\n')}\n`,
  );
  await copyFile('/bin/bash', join(folder, 'hp-busy'));
  const busy = spawn(join(folder, 'hp-busy'), ['-c', 'while :; do :; done']);
  const ticks = async () => {
    const stat = await readFile(`/proc/${busy.pid}/stat`, 'latin1');
    // utime and stime (proc_pid_stat(5)).
    const [inUser, inKernel] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return Number(inUser) + Number(inKernel);
  };
  try {
    await expect.poll(ticks, { timeout: 20_000 }).toBeGreaterThan(50);
    await using hub = await startReceiver(() => ({ status: 200 }));
    await report(hub.url);
    const seen = hub.posts[0]?.reports[0]?.top.find(({ name }) => name === 'hp-busy');
    expect(seen?.cpu).toBeGreaterThan(0);
    // The report has one decimal.
    expect(seen?.cpu).toBeLessThanOrEqual((await ticks()) / secondsSince + 0.05);
  } finally {
    busy.kill('SIGKILL');
  }
}, 60_000);

test('hostile process names arrive as valid JSON', async () => {
  const names = ['a"b\\c\n{', '\u00e4\u{1F600}$(x)', 'a) R 1 1 (b'];
  // Each says that it runs under its own name, then waits for input that never comes.
  const program = 'echo; read';
  const children = await Promise.all(
    names.map(async (name) => {
      await copyFile('/bin/bash', join(folder, name));
      return spawn(join(folder, name), ['-c', program]);
    }),
  );
  // Bytes that are no UTF-8, which a JavaScript string cannot hold.
  children.push(
    spawn('bash', [
      '-c',
      `cp /bin/bash "$1"/$'\\xff\\xc3(x' && exec "$1"/$'\\xff\\xc3(x' -c "$2"`,
      'x',
      folder,
      program,
    ]),
  );
  try {
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    // A report names only the ten busiest processes since the one before. A count below zero at that report makes these the
    // busiest, whatever else the machine does.
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const counts = await Promise.all(children.map((child) => countOf(child, -1_000_000_000)));
    await mkdir(join(folder, 'state'));
    await writeFile(join(folder, 'state/processes'), `${[`${boot} 1`, ...counts].join('\n')}\n`);
    await using hub = await startReceiver(() => ({ status: 200 }));
    await report(hub.url);
    const top = hub.posts[0]?.reports[0]?.top.map((one) => one.name);
    expect(top).toEqual(expect.arrayContaining([...names, '\ufffd\ufffd(x']));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
});

test.each(['curl', 'wget'])(
  'with %s the token is in no argument list and no environment while it is being sent',
  async (client) => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const { stdout } = await run('bash', [
      '-c',
      'compgen -c | sort -u | while read -r c; do type -P "$c"; done || :',
    ]);
    for (const path of new Set(stdout.trim().split('\n'))) {
      const name = path.split('/').at(-1) ?? '';
      const other = client === 'curl' ? 'wget' : 'curl';
      if (name !== other && !name.startsWith('python'))
        await symlink(path, join(bin, name)).catch(ignoreExisting);
    }
    const seen: string[] = [];
    await using hub = await startReceiver(async () => {
      for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
        for (const file of ['cmdline', 'environ'])
          seen.push(`${await readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')}`);
      }
      return { status: 200 };
    });
    await report(hub.url, {}, { PATH: bin });
    expect(hub.posts).toHaveLength(1);
    expect(hub.posts[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(seen.some((line) => line.includes(`${client}\0`))).toBe(true);
    expect(seen.filter((line) => line.includes(token))).toEqual([]);
    expect(hub.posts[0]?.headers['user-agent']).toMatch(new RegExp(client, 'i'));
  },
);

test('connect times are milliseconds, and a target that does not answer is null', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url, { ping_eu: `127.0.0.1:${hub.port}`, ping_us: '127.0.0.1:1' });
  const sent = hub.posts[0]?.reports[0];
  expect(sent?.ping_eu).toBeGreaterThan(0);
  expect(sent).toMatchObject({ ping_us: null, ping_asia: null });
});

test('containers are read from the cgroup tree', async () => {
  const id = 'ab'.repeat(32);
  const scope = join(folder, 'cgroup/system.slice', `docker-${id}.scope`);
  await mkdir(scope, { recursive: true });
  const files = {
    'cpu.stat': 'usage_usec 1234567\nuser_usec 1000000\n',
    'memory.current': '1048576\n',
    'memory.stat': 'anon 4096\ninactive_file 524288\n',
    'memory.max': 'max\n',
    'pids.current': '3\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(scope, name), text);
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url, { cgroup_root: join(folder, 'cgroup') });
  expect(hub.posts[0]?.reports[0]?.apps).toEqual([
    { id, cpu_usec: 1234567, memory: 1048576, inactive_file: 524288, memory_max: null, pids: 3 },
  ]);
});

test.each([
  ['cgroupfs', (id: string) => `docker/${id}`],
  ['systemd', (id: string) => `system.slice/docker-${id}.scope`],
])('containers are read from the trees of cgroup v1, in Docker’s layout of %s', async (_, below) => {
  const [limited, free] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const trees = (id: string, limit: string) => ({
    [`cpuacct/${below(id)}/cpuacct.usage`]: '12345678901234567\n',
    [`memory/${below(id)}/memory.usage_in_bytes`]: '1048576\n',
    [`memory/${below(id)}/memory.stat`]: 'inactive_file 1\ntotal_inactive_file 524288\n',
    [`memory/${below(id)}/memory.limit_in_bytes`]: limit,
    [`pids/${below(id)}/pids.current`]: '3\n',
  });
  const files = { ...trees(limited, '268435456\n'), ...trees(free, '9223372036854771712\n') };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'v1', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url, { cgroup_root: join(folder, 'v1') });
  const same = { cpu_usec: 12345678901234, memory: 1048576, inactive_file: 524288, pids: 3 };
  expect(hub.posts[0]?.reports[0]?.apps).toEqual([
    { id: limited, ...same, memory_max: 268435456 },
    { id: free, ...same, memory_max: null },
  ]);
});

test('tells the names that the firmware gives the machine, and neither its serial number nor what it may not read', async () => {
  const names = join(folder, 'dmi');
  await mkdir(join(names, 'bios_vendor'), { recursive: true });
  const files = {
    sys_vendor: 'Hetzner\n',
    product_name: 'a "quoted" name\n',
    chassis_asset_tag: `${'t'.repeat(200)}\n`,
    board_vendor: '\n',
    product_serial: 'secret\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(names, name), text);
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url, { dmi_root: names });
  expect(hub.posts[0]?.reports[0]?.machine).toEqual({
    sys_vendor: 'Hetzner',
    product_name: 'a "quoted" name',
    chassis_asset_tag: 't'.repeat(128),
  });
});

test('tells no names of a machine without firmware', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  await report(hub.url, { dmi_root: join(folder, 'none') });
  expect(hub.posts[0]?.reports[0]?.machine).toEqual({});
});

/** A container as the agent sees it: a cgroup with a process that has `folder/data` mounted. */
async function containerWithStorage(data: string) {
  const id = 'cd'.repeat(32);
  const scope = join(folder, `cgroup/system.slice/docker-${id}.scope`);
  const inside = join(folder, 'inside');
  for (const path of [scope, inside]) await mkdir(path, { recursive: true });
  const mounted = spawn(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', 'bash', '-c'],
      'mount --bind "$1" "$2" && echo ready && exec sleep 600',
      ...['x', data, inside],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise((resolve) => mounted.stdout.once('data', resolve));
  await writeFile(join(scope, 'cpu.stat'), 'usage_usec 7\n');
  await writeFile(join(scope, 'cgroup.procs'), `${mounted.pid}\n`);
  return { extra: { cgroup_root: join(folder, 'cgroup') }, end: () => mounted.kill('SIGKILL') };
}

test('the folders of a container are measured after the report, some time after they are new', async () => {
  const data = join(folder, 'the data');
  await mkdir(data);
  await writeFile(join(data, 'file'), 'x'.repeat(5_000));
  const container = await containerWithStorage(data);
  try {
    await using hub = await startReceiver(() => ({ status: 200 }));
    const reported = async () => {
      await report(hub.url, container.extra);
      const sent = hub.posts.at(-1)?.reports[0];
      return { apps: sent?.apps, at: sent?.storage_ts };
    };
    const sized = (bytes: number | null) => [expect.objectContaining({ mounts: [{ path: data, bytes }] })];
    const unknown = { apps: sized(null), at: undefined };
    expect(await reported()).toEqual(unknown);
    // Nothing was measured yet, because the folder is new.
    expect(await reported()).toEqual(unknown);
    const state = join(folder, 'state/storage');
    const longAgo = Number(await readFile(state, 'utf8')) - 1_000;
    await writeFile(state, `${longAgo}\n`);
    expect(await reported()).toEqual(unknown);
    const { stdout } = await run('du', ['-sb', data]);
    const measured = { apps: sized(Number(stdout.split('\t')[0])), at: expect.any(Number) };
    expect(await reported()).toEqual(measured);
    // The figure stays until it is due again, whatever the folder holds meanwhile.
    await writeFile(join(data, 'more'), 'x'.repeat(5_000));
    expect(await reported()).toEqual(measured);
    expect(await reported()).toEqual(measured);
  } finally {
    container.end();
  }
});

test('a folder that cannot be summed up in time has no size, and is not tried again at once', async () => {
  const data = join(folder, 'data');
  const bin = join(folder, 'bin');
  const tries = join(folder, 'tries');
  for (const path of [data, bin]) await mkdir(path);
  await writeFile(join(bin, 'du'), `#!/bin/sh\necho "$PPID" >>'${tries}'\nprintf '12\\t/x\\n'; exit 1\n`, {
    mode: 0o755,
  });
  const container = await containerWithStorage(data);
  try {
    await using hub = await startReceiver(() => ({ status: 200 }));
    await mkdir(join(folder, 'state'));
    await writeFile(join(folder, 'state/storage'), '1000\n');
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    for (let turn = 0; turn < 3; turn += 1) await report(hub.url, container.extra, env);
    expect((await readFile(tries, 'utf8')).trim().split('\n')).toHaveLength(1);
    expect(hub.posts.at(-1)?.reports[0]?.apps).toMatchObject([{ mounts: [{ path: data, bytes: null }] }]);
  } finally {
    container.end();
  }
});

test('the loop reports at once and ends on SIGTERM', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  const loop = spawn('bash', [program, '--loop', '--config', await configure(hub.url)]);
  const ended = new Promise((resolve) => loop.on('exit', resolve));
  await expect.poll(() => hub.posts.length, { timeout: 10_000 }).toBe(1);
  loop.kill('SIGTERM');
  expect(await ended).toBe(0);
});

/** A `sleep` that notes how long it should have slept, so that no test waits. The third call never ends. */
async function notedSleeps() {
  const bin = join(folder, 'bin');
  const notes = join(folder, 'sleeps');
  await mkdir(bin);
  const { stdout } = await run('bash', ['-c', 'type -P sleep']);
  const text = `#!/bin/sh\necho "$1" >>'${notes}'\n[ "$(wc -l <'${notes}')" -lt 3 ] || exec ${stdout.trim()} 600\n`;
  await writeFile(join(bin, 'sleep'), text, { mode: 0o755 });
  return {
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    sleeps: async () => (await readFile(notes, 'utf8')).trim().split('\n').map(Number),
  };
}

test('a new installation reports at once and again 15 seconds later', async () => {
  const { env, sleeps } = await notedSleeps();
  await using hub = await startReceiver(() => ({ status: 200 }));
  await run('bash', [program, '--first', '--config', await configure(hub.url)], { env, timeout: 30_000 });
  expect(hub.posts).toHaveLength(2);
  expect(await sleeps()).toEqual([15]);
});

test('the loop sends its second report after 15 seconds, and the others at its own second', async () => {
  const { env, sleeps } = await notedSleeps();
  await using hub = await startReceiver(() => ({ status: 200 }));
  const loop = spawn('bash', [program, '--loop', '--config', await configure(hub.url)], { env });
  const ended = new Promise((resolve) => loop.on('exit', resolve));
  try {
    await expect.poll(() => hub.posts.length, { timeout: 20_000 }).toBe(3);
    await expect.poll(async () => (await sleeps()).length, { timeout: 10_000 }).toBe(3);
    const [first, second = 0] = await sleeps();
    expect(first).toBe(15);
    expect(second).toBeGreaterThan(0);
    expect(second).toBeLessThanOrEqual(180);
  } finally {
    loop.kill('SIGTERM');
    await ended;
  }
});

test('a truncated program does nothing', async () => {
  const text = await readFile(program, 'utf8');
  const half = join(folder, 'half.sh');
  for (const share of [0.3, 0.6, 0.9]) {
    await writeFile(half, text.slice(0, Math.floor(text.length * share)));
    await run('bash', [half, '--once', '--config', await configure('http://127.0.0.1:9')]).catch(
      () => undefined,
    );
  }
  expect(await readdir(folder)).not.toContain('state');
});

function ignoreExisting(error: NodeJS.ErrnoException) {
  if (error.code !== 'EEXIST') throw error;
}

const backupLine = (seq: number, more: object = {}) =>
  JSON.stringify({
    seq,
    ...{ run: '3f2a1b4c-0000-4000-8000-000000000001', type: 'postgres', name: 'orders', state: 'failed' },
    ...{ at: 1_700_000_000, took: 4, bytes: null, sha256: null, target: 's3', reason: 'copy_failed' },
    text: "AccessDenied: it's [not] allowed ~",
    ...more,
  });

test('scheduled backups are told once, at most twenty in a report, and again when their file begins anew', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  const backup_runs = join(folder, 'log');
  const told = () => hub.posts.at(-1)?.reports[0]?.backups?.map(({ seq }) => seq);
  await report(hub.url, { backup_runs });
  expect(told()).toBeUndefined();
  const lines = Array.from({ length: 25 }, (_, at) => backupLine(at + 1));
  await writeFile(backup_runs, `${lines.join('\n')}\n`);
  await report(hub.url, { backup_runs });
  expect(told()).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  expect(hub.posts.at(-1)?.reports[0]?.backups?.[0]).toEqual(JSON.parse(lines[0] ?? ''));
  await report(hub.url, { backup_runs });
  expect(told()).toEqual([21, 22, 23, 24, 25]);
  await report(hub.url, { backup_runs });
  expect(told()).toBeUndefined();
  await writeFile(backup_runs, `${backupLine(1)}\n`);
  await report(hub.url, { backup_runs });
  expect(told()).toEqual([1]);
});

test('a line about a backup that the plugin does not write breaks no report', async () => {
  await using hub = await startReceiver(() => ({ status: 200 }));
  const backup_runs = join(folder, 'log');
  const strange = [
    'nonsense',
    `${backupLine(1)},{"evil":true}`,
    backupLine(2, { text: 'a "quote" and \\' }),
    backupLine(3, { text: 'ü' }),
    backupLine(4, { name: 'a/b' }),
    backupLine(5, { more: true }),
    `{"seq":6${' '.repeat(100_000)}`,
  ];
  await writeFile(backup_runs, `${[...strange, backupLine(7)].join('\n')}\n`);
  await report(hub.url, { backup_runs });
  expect(hub.posts[0]?.reports[0]?.backups?.map(({ seq }) => seq)).toEqual([7]);
});
