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
import { startFlags } from '../start-flags.ts';

const mebibyte = 2 ** 20;
/** `HOMEPORT_BENCH_DUMP_MIB=256 npm run bench -- dumps` measures a smaller dump. */
const size = Number(process.env.HOMEPORT_BENCH_DUMP_MIB ?? 2048) * mebibyte;
const rounds = 3;
const growthMiBAtMost = 64;
const shareAtLeast = 0.8;

type Bench = { host: SandboxServer; person: TestVisitor };

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
    const fetchDump = () => client(linked, 'GET', `${address}/${made}/content`);
    const sendDump = async () => {
      const id = randomUUID();
      const taken = await client(linked, 'PUT', `${address}/${id}`);
      await linked.person.call(`DELETE ${address}/${id}`);
      return taken;
    };
    await using bare = await startBarePipe(linked, key, file);
    const fetchBare = () => client(linked, 'GET', '/', bare.url);
    const sendBare = async () => {
      const taken = await client(linked, 'PUT', '/', bare.url);
      await rm(`${file}.bare`);
      return taken;
    };
    await fetchDump();
    await sendDump();
    await fetchBare();
    await sendBare();
    using memory = watchMemory(console.pid);
    const taken: Record<'fetched' | 'bare' | 'cat' | 'sent' | 'bareBack' | 'catBack', number[]> = {
      fetched: [],
      bare: [],
      cat: [],
      sent: [],
      bareBack: [],
      catBack: [],
    };
    for (let round = 0; round < rounds; round += 1) {
      taken.fetched.push(await fetchDump());
      taken.bare.push(await fetchBare());
      taken.cat.push(await timed(() => ssh(linked, key, ['cat', file], 'ignore')));
      taken.sent.push(await sendDump());
      taken.bareBack.push(await sendBare());
      taken.catBack.push(
        await timed(() => ssh(linked, key, ['cat', '>', `${file}.ssh`], openSync(file, 'r'))),
      );
      await rm(`${file}.ssh`);
    }
    const grown = memory.grown();
    tell('download', taken.fetched, taken.bare, taken.cat);
    tell('upload', taken.sent, taken.bareBack, taken.catBack);
    figureAtMost('Memory of the console grows at most by (RSS)', grown / mebibyte, growthMiBAtMost, 'MiB');
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

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

async function client({ person }: Bench, method: string, address: string, origin = url): Promise<number> {
  const program = fileURLToPath(new URL('client.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', program, method, origin + address, url, person.cookie(), String(size)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let told = '';
  child.stdout.on('data', (text) => {
    told += text;
  });
  const [code] = await once(child, 'close');
  const [bytes, taken] = told.split(' ').map(Number);
  if (code !== 0 || bytes !== size || taken === undefined)
    throw new Error(`A transfer failed: ${told}, code ${code}.`);
  return taken;
}

/** The peer in `bare-pipe.ts`, which tells what a program on Node can reach here at most. */
async function startBarePipe(
  { host }: Bench,
  key: string,
  file: string,
): Promise<AsyncDisposable & { url: string }> {
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
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

/** OpenSSH's client, which drops what arrives. */
async function ssh({ host }: Bench, key: string, words: string[], stdin: 'ignore' | number) {
  const { user, host: name, port } = host.sshd;
  const login = [
    ...['-F', 'none', '-p', String(port), '-i', key, '-o', 'BatchMode=yes', '-o', 'LogLevel=ERROR'],
    ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
  ];
  const sink = openSync('/dev/null', 'w');
  const child = spawn('ssh', [...login, `${user}@${name}`, ...words], { stdio: [stdin, sink, 'inherit'] });
  const [code] = await once(child, 'close');
  closeSync(sink);
  if (typeof stdin === 'number') closeSync(stdin);
  if (code !== 0) throw new Error(`ssh ended with ${code}.`);
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
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
  what: string,
  ours: readonly number[],
  bare: readonly number[],
  theirs: readonly number[],
): void {
  const rate = (ms: number) => `${(size / mebibyte / (ms / 1_000)).toFixed(0)} MiB/s`;
  const share = median(theirs) / median(ours);
  const whole = `${size / mebibyte} MiB`;
  figure({ what: `One ${what} of ${whole} through the console, median`, value: rate(median(ours)) });
  figure({ what: `The same through a bare ssh2 pipe, median`, value: rate(median(bare)) });
  figure({ what: `\`ssh cat\` of the same, median`, value: rate(median(theirs)) });
  figure({
    what: `A bare ssh2 pipe reaches of \`ssh cat\`: the ${what}`,
    value: `${((median(theirs) / median(bare)) * 100).toFixed(0)} %`,
  });
  figure({
    what: `The ${what} reaches of \`ssh cat\``,
    value: `${(share * 100).toFixed(0)} %`,
    budget: `≥ ${shareAtLeast * 100} %`,
    kept: share >= shareAtLeast,
  });
}

await main();
