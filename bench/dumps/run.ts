import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  linkServer,
  runToEnd,
  type SandboxServer,
  signUp,
  startSandboxServer,
  succeeded,
  type TestVisitor,
} from '@homeport/api/testing';
import { z } from 'zod';
import { startConsole, url } from '../console.ts';
import { figure, figureAtMost, median } from '../figure.ts';
import { timeOfFamily, timesOf } from '../processor-time.ts';
import { startFlags } from '../start-flags.ts';

const mebibyte = 2 ** 20;
/** `HOMEPORT_BENCH_DUMP_MIB=256 npm run bench -- dumps` measures a smaller dump. */
const size = Number(process.env.HOMEPORT_BENCH_DUMP_MIB ?? 2048) * mebibyte;
const rounds = 3;
const growthMiBAtMost = 64;
const shareAtLeast = 0.8;

type Bench = { host: SandboxServer; person: TestVisitor };

/** A transfer of the whole dump: its time, and processor time in milliseconds of the three places that it passed. */
type Passed = { ms: number; used: { person: number; between: number; server: number } };
type Way = () => Promise<Passed>;

/** Passes a dump through the console in both directions, in turn with OpenSSH's own client on the same sshd and with a
 * program that only pipes between HTTP and ssh2. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-dumps-'));
  await chmod(folder, 0o755);
  const console = await startConsole(join(folder, 'data'));
  await using host = await startSandboxServer({ plugins: ['acl', 'letsencrypt', 'postgres'] });
  try {
    const linked: Bench = { host, person: await signUp(url, 'bench') };
    const { address, file, made } = await makeDump(linked);
    const key = join(folder, 'key');
    await writeFile(key, host.privateKeyPem, { mode: 0o600 });
    await using bare = await startBarePipe(linked, key, file);
    const down = {
      console: () => client(linked, 'GET', `${url}${address}/${made}/content`, console.pid),
      bare: () => client(linked, 'GET', `${bare.url}/`, bare.pid),
      ssh: () => ssh(linked, key, ['cat', file], 'ignore'),
    };
    const up = {
      async console() {
        const id = randomUUID();
        const passed = await client(linked, 'PUT', `${url}${address}/${id}`, console.pid);
        await linked.person.call(`DELETE ${address}/${id}`);
        return passed;
      },
      async bare() {
        const passed = await client(linked, 'PUT', `${bare.url}/`, bare.pid);
        await rm(`${file}.bare`);
        return passed;
      },
      async ssh() {
        const copy = `${file}.ssh`;
        const passed = await ssh(linked, key, ['cat', '>', copy, '&&', 'sync', copy], openSync(file, 'r'));
        await rm(copy);
        return passed;
      },
    };
    for (const { console: ours, bare: other } of [down, up]) {
      await ours();
      await other();
    }
    using memory = watchMemory(console.pid);
    const taken = { down: takenBy(down), up: takenBy(up) };
    for (let round = 0; round < rounds; round += 1) {
      for (const { way, passed } of [...taken.down, ...taken.up]) passed.push(await way());
    }
    const grown = memory.grown();
    tell('download', '`ssh cat`', taken.down);
    tell('upload', '`ssh cat` and `sync`', taken.up);
    figureAtMost('Memory of the console grows at most by (RSS)', grown / mebibyte, growthMiBAtMost, 'MiB');
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const takenBy = ({ console, bare, ssh }: Record<'console' | 'bare' | 'ssh', Way>) =>
  [console, bare, ssh].map((way) => ({ way, passed: [] as Passed[] }));

async function makeDump({ person, host }: Bench) {
  const { server, connect } = await linkServer(url, person, host);
  await connect();
  succeeded(await runToEnd(person, `POST /api/servers/${server.id}/install`));
  succeeded(
    await runToEnd(person, 'POST /api/databases', { name: 'orders', type: 'postgres', serverId: server.id }),
  );
  const listed = await person.call('GET /api/databases');
  const [database] = z.array(z.object({ id: z.string(), longname: z.string() })).parse(listed.body);
  if (!database) throw new Error('The database is not listed.');
  const lib = join(host.sandbox.root, 'lib');
  const held = join(lib, 'services/postgres', database.longname, 'data/held-by-the-sandbox');
  writeFileSync(held, 'PGDMP');
  truncateSync(held, size);
  const address = `/api/databases/${database.id}/dumps`;
  const made = succeeded(await runToEnd(person, `POST ${address}`)).id;
  const file = join(lib, 'data/homeport/dumps/postgres', database.longname, made, 'dump');
  return { address, file, made };
}

/** `between` is the process that the transfer passes on its way to sshd. */
async function client(
  { person, host }: Bench,
  method: string,
  address: string,
  between: number,
): Promise<Passed> {
  const program = fileURLToPath(new URL('client.ts', import.meta.url));
  const before = { between: timesOf(between).own, server: timeOfFamily(host.sshd.pid) };
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', program, method, address, url, person.cookie(), String(size)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let told = '';
  child.stdout.on('data', (text) => {
    told += text;
  });
  const [code] = await once(child, 'close');
  const [bytes, ms, usedMs] = told.split(' ').map(Number);
  if (code !== 0 || bytes !== size || ms === undefined || usedMs === undefined)
    throw new Error(`A transfer failed: ${told}, code ${code}.`);
  const used = {
    person: usedMs,
    between: timesOf(between).own - before.between,
    server: timeOfFamily(host.sshd.pid) - before.server,
  };
  return { ms, used };
}

/** The peer in `bare-pipe.ts`, which tells what a program on Node can reach here at most. */
async function startBarePipe(
  { host }: Bench,
  key: string,
  file: string,
): Promise<AsyncDisposable & { url: string; pid: number }> {
  const program = fileURLToPath(new URL('bare-pipe.ts', import.meta.url));
  const { user, host: name, port } = host.sshd;
  const child = spawn(
    process.execPath,
    [...startFlags, '--import', 'tsx', program, name, String(port), user, key, file],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  const listening = once(child.stdout, 'data').then(([line]) => Number(line));
  const listensOn = await Promise.race([listening, ended.then(() => 0)]);
  if (listensOn === 0) throw new Error('The bare pipe did not start.');
  return {
    url: `http://127.0.0.1:${listensOn}`,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

/** OpenSSH's client, which drops what arrives. */
async function ssh({ host }: Bench, key: string, words: string[], stdin: 'ignore' | number): Promise<Passed> {
  const { user, host: name, port, pid } = host.sshd;
  const login = [
    ...['-F', 'none', '-p', String(port), '-i', key, '-o', 'BatchMode=yes', '-o', 'LogLevel=ERROR'],
    ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
  ];
  const sink = openSync('/dev/null', 'w');
  const before = { person: timesOf(process.pid).children, server: timeOfFamily(pid) };
  const begin = performance.now();
  const child = spawn('ssh', [...login, `${user}@${name}`, ...words], { stdio: [stdin, sink, 'inherit'] });
  const [code] = await once(child, 'close');
  const ms = performance.now() - begin;
  closeSync(sink);
  if (typeof stdin === 'number') closeSync(stdin);
  if (code !== 0) throw new Error(`ssh ended with ${code}.`);
  const used = {
    person: timesOf(process.pid).children - before.person,
    between: 0,
    server: timeOfFamily(pid) - before.server,
  };
  return { ms, used };
}

/** The most by which the memory of the process exceeds what it has now: proc(5), VmRSS in status. */
function watchMemory(pid: number): Disposable & { grown(): number } {
  const rss = () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
  const before = rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, rss());
  }, 50);
  return {
    grown: () => most - before,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function tell(
  what: 'download' | 'upload',
  comparedWith: string,
  [ours, bare, theirs]: readonly { passed: readonly Passed[] }[],
): void {
  if (!ours || !bare || !theirs) return;
  const ms = ({ passed }: typeof ours) => median(passed.map((one) => one.ms));
  const rate = (of: typeof ours) => `${(size / mebibyte / (ms(of) / 1_000)).toFixed(0)} MiB/s`;
  const share = ms(theirs) / ms(ours);
  const whole = `${size / mebibyte} MiB`;
  figure({ what: `One ${what} of ${whole} through the console, median`, value: rate(ours) });
  figure({ what: `The same through a bare ssh2 pipe, median`, value: rate(bare) });
  figure({ what: `${comparedWith} of the same, median`, value: rate(theirs) });
  figure({
    what: `A bare ssh2 pipe reaches of ${comparedWith}: the ${what}`,
    value: `${((ms(theirs) / ms(bare)) * 100).toFixed(0)} %`,
  });
  figure({
    what: `The ${what} reaches of ${comparedWith}`,
    value: `${(share * 100).toFixed(0)} %`,
    budget: `≥ ${shareAtLeast * 100} %`,
    kept: share >= shareAtLeast,
  });
  const places = ['person', 'between', 'server'] as const;
  const perGiB = ({ passed }: typeof ours) =>
    places
      .map((place) => median(passed.map(({ used }) => used[place])) * (1.024 / (size / mebibyte)))
      .map((seconds) => seconds.toFixed(2))
      .join(' + ');
  figure({
    what: `Processor time of a GiB of ${what}: person, console, server`,
    value: `${perGiB(ours)} s`,
  });
  figure({ what: 'With the bare pipe in the console’s place', value: `${perGiB(bare)} s` });
  figure({ what: `By ${comparedWith}`, value: `${perGiB(theirs)} s` });
}

await main();
