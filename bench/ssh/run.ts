import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Connection, openConnection } from '@homeport/ssh';
import { keyLogin, makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';
import { figure, figureAtMost, median, tidy } from '../figure.ts';
import { processorTimes } from './processor-time.ts';

const run = promisify(execFile);
const deadlineMs = 30_000;
const rounds = 200;
const bursts = 21;
const burstSize = 50;
const addedMsAtMost = 5;
const burstMsAtMost = 100;
/** A program that starts anew each time and does next to nothing. */
const argv = ['/bin/cat', '/proc/loadavg'];

type Action = () => Promise<unknown>;

/** Measures the cost of an action beyond its command: ours and `ssh`'s, in turn on one sshd. */
async function main(): Promise<void> {
  const key = makeKey();
  await using sshd = await startSshd({
    authorizedKeys: [key.publicKeyLine],
    config: {
      // ssh opens 50 channels on one connection at once. Ours opens eight, and the other commands wait.
      MaxSessions: 64,
      // sshd's own default. This process would have to read the longer log that tests use.
      LogLevel: 'INFO',
    },
  });
  await using peer = await startMaster(sshd, key.privateKeyPem);
  const connection = await openConnection(keyLogin(sshd, signerFor(key.privateKeyPem)));
  try {
    const ours: Action = () => connection.exec({ argv, deadlineMs });
    for (const warmUp of [ours, peer.action, ours, peer.action]) await times(warmUp, 10);
    const single = await inTurn(rounds, {
      own: () => ownTimesMs(connection),
      ours: () => times(ours, 1),
      theirs: () => times(peer.action, 1),
    });
    const own = median(single.own);
    figure({ what: 'The command’s own time on the server, median', value: `${tidy(own)} ms` });
    figureAtMost('A warm action adds, median', median(single.ours) - own, addedMsAtMost, 'ms');
    figure({
      what: '`ssh` with ControlMaster adds, median',
      value: `${tidy(median(single.theirs) - own)} ms`,
    });

    const burst = await inTurn(bursts, {
      own: () => ownBurstMs(connection),
      ours: () => atOnce(ours),
      theirs: () => atOnce(peer.action),
    });
    // The commands' own time on this machine's processors does not come from the connection, so it is subtracted.
    const alone = median(burst.own);
    figure({ what: `${burstSize} commands at once without SSH, wall, median`, value: `${tidy(alone)} ms` });
    figureAtMost(
      `${burstSize} warm actions at once add, wall, median`,
      median(burst.ours) - alone,
      burstMsAtMost,
      'ms',
    );
    figure({
      what: `${burstSize} × \`ssh\` with ControlMaster at once add, wall, median`,
      value: `${tidy(median(burst.theirs) - alone)} ms`,
    });

    const spent = await processorTimes(connection, () => atOnce(ours), bursts);
    figure({
      what: `${burstSize} actions: processor time of this process`,
      value: `${tidy(spent.client)} ms`,
    });
    figure({ what: `${burstSize} actions: processor time of sshd`, value: `${tidy(spent.sshd)} ms` });
    figure({
      what: `${burstSize} actions: processor time of the shells that sshd starts, and of the commands`,
      value: `${tidy(spent.commands)} ms`,
    });
  } finally {
    connection.close();
  }
}

/** Runs the measurements in turn, so that other work on the machine slows all alike. */
async function inTurn<Name extends string>(
  count: number,
  measures: Record<Name, () => Promise<number[]>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < count; round += 1) {
    for (const name of names) taken[name].push(...(await measures[name]()));
  }
  return taken;
}

async function times(action: Action, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const begin = performance.now();
    await action();
    taken.push(performance.now() - begin);
  }
  return taken;
}

async function atOnce(action: Action): Promise<number[]> {
  const begin = performance.now();
  await Promise.all(Array.from({ length: burstSize }, action));
  return [performance.now() - begin];
}

/** The time of the command from its start to its end, measured by a shell on the server (bash(1), EPOCHREALTIME is in microseconds). */
async function ownTimesMs(connection: Connection): Promise<number[]> {
  return onServer(
    connection,
    `for i in 1 2 3; do
  begin=\${EPOCHREALTIME/./}
  "$@" >/dev/null
  echo $((\${EPOCHREALTIME/./} - begin))
done`,
  );
}

/** The time of a whole burst whose commands start at once, measured by a shell on the server. */
async function ownBurstMs(connection: Connection): Promise<number[]> {
  return onServer(
    connection,
    `begin=\${EPOCHREALTIME/./}
for ((i = 0; i < ${burstSize}; i++)); do "$@" >/dev/null & done
wait
echo $((\${EPOCHREALTIME/./} - begin))`,
  );
}

/** Runs a program of bash that prints microseconds. */
async function onServer(connection: Connection, program: string): Promise<number[]> {
  const { stdout } = await connection.exec({ argv: ['bash', '-c', program, 'bash', ...argv], deadlineMs });
  return stdout
    .trim()
    .split('\n')
    .map((microseconds) => Number(microseconds) / 1000);
}

/** Starts OpenSSH's own client with one shared connection (ssh_config(5), ControlMaster). */
async function startMaster(sshd: Sshd, privateKeyPem: string) {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-ssh-'));
  const keyFile = join(folder, 'key');
  const socket = join(folder, 'master');
  await writeFile(keyFile, privateKeyPem, { mode: 0o600 });
  const login = [
    ...['-F', 'none', '-p', String(sshd.port), '-i', keyFile, '-S', socket],
    ...['-o', 'BatchMode=yes', '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
    ...['-o', 'LogLevel=ERROR'],
  ];
  const target = `${sshd.user}@${sshd.host}`;
  // With -f, ssh goes to the background after the login.
  await new Promise<void>((resolve, reject) => {
    const master = spawn('ssh', [...login, '-M', '-N', '-f', target], { stdio: 'ignore' });
    master.once('error', reject);
    master.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ssh ended with ${code}`))));
  });
  return {
    action: () => run('ssh', [...login, target, ...argv]),
    async [Symbol.asyncDispose]() {
      await run('ssh', [...login, '-O', 'exit', target]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

await main();
