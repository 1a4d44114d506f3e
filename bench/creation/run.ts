import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  linkServer,
  runToEnd,
  type SandboxServer,
  signUp,
  startSandboxServer,
  succeeded,
  type TestVisitor,
} from '@homeport/api/testing';
import { startConsole, url } from '../console.ts';
import { figure, figureAtMost, median } from '../figure.ts';

const rounds = 12;
const addedMsAtMost = 300;

type Created = { id: string; longname: string };

/** Measures the cost of a creation beyond its commands on the server: of the console, and of a script with the same commands. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-creation-'));
  await chmod(folder, 0o755);
  const console = await startConsole(join(folder, 'data'));
  await using host = await startSandboxServer();
  try {
    const person = await signUp(url, 'bench');
    const create = await linkHost(person, host);
    // The first creation also adds the key to the server. From the second on, all are alike.
    await create('first');
    const { id, longname } = await create('second');
    const commands = (await read<{ command: string }[]>(person, `/api/operations/${id}/commands`)).map(
      ({ command }) => command,
    );
    await using script = await startMaster(host, folder);
    const scriptFor = (name: string) => commands.map((line) => line.replaceAll(longname, name)).join('\n');
    await script.inOneSession(scriptFor('warm-up'));

    const ours: number[] = [];
    const theirs: number[] = [];
    const oneByOne: number[] = [];
    // The measurements take turns, so that other work on the machine slows all of them alike.
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await timed(() => create(`round ${round}`)));
      theirs.push(await timed(() => script.inOneSession(scriptFor(`session-${round}`))));
      oneByOne.push(await timed(() => script.oneByOne(scriptFor(`single-${round}`).split('\n'))));
    }
    figure({ what: 'A creation on a warm connection, from the request to its end, median', value: ms(ours) });
    figure({ what: `Its ${commands.length} commands by one \`ssh\` script, median`, value: ms(theirs) });
    figure({ what: 'The same, an `ssh` with ControlMaster for each command, median', value: ms(oneByOne) });
    const added = ours.map((taken, round) => taken - (theirs[round] ?? Number.NaN));
    figureAtMost('A creation adds to the commands of the script, median', median(added), addedMsAtMost, 'ms');
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`;

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

async function read<T>(person: TestVisitor, path: string): Promise<T> {
  return (await person.call(`GET ${path}`)).body as T;
}

/** Links the host and opens a connection. Returns a function that creates an app there and waits for the end. */
async function linkHost(
  person: TestVisitor,
  host: SandboxServer,
): Promise<(name: string) => Promise<Created>> {
  const { server, pushKey, connect } = await linkServer(url, person, host);
  await connect();
  return async (name) => {
    const creation = { name, serverId: server.id, keyIds: [pushKey.id] };
    const { id, longname } = succeeded(await runToEnd(person, 'POST /api/apps', creation));
    return { id, longname: longname ?? '' };
  };
}

/** Starts OpenSSH’s own client with one shared connection (ssh_config(5), ControlMaster). */
async function startMaster(host: SandboxServer, folder: string) {
  const keyFile = join(folder, 'key');
  await writeFile(keyFile, host.privateKeyPem, { mode: 0o600 });
  const login = [
    ...['-F', 'none', '-p', String(host.sshd.port), '-i', keyFile, '-S', join(folder, 'master')],
    ...['-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
    ...['-o', 'LogLevel=ERROR'],
  ];
  const target = `${host.sshd.user}@${host.sshd.host}`;
  await new Promise<void>((resolve, reject) => {
    // With -f, ssh goes to the background after the login.
    const master = spawn('ssh', [...login, '-M', '-N', '-f', target], { stdio: 'ignore' });
    master.once('error', reject);
    master.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ssh ended with ${code}`))));
  });
  const run = (command: string) => promisify(execFile)('ssh', [...login, target, command]);
  return {
    inOneSession: run,
    async oneByOne(commands: readonly string[]) {
      for (const command of commands) await run(command);
    },
    async [Symbol.asyncDispose]() {
      await promisify(execFile)('ssh', [...login, '-O', 'exit', target]);
    },
  };
}

await main();
