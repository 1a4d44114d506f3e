import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoteArgv } from '@homeport/contract/quoting';
import * as dokku from '@homeport/dokku';
import {
  type Account,
  argvFor,
  type Command,
  type DokkuFailure,
  failureOf,
  type Outcome,
} from '@homeport/dokku';
import { fingerprintOf } from '@homeport/dokku/fingerprint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSshd, type TestHost } from '../testing/sshd.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

let base: string;
let host: SandboxHost;
let server: TestHost;
const hello = dokku.appName('hello');
const own: Account = { kind: 'console', user: 'homeport' };

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'sandbox-'));
  host = await prepareSandboxHost({
    root: join(base, 'host'),
    installed: false,
    plugins: ['acl', 'letsencrypt'],
  });
  server = await startSshd(join(base, 'ssh'), host);
}, 60_000);

afterAll(async () => {
  await server?.stop();
  await host?.dispose();
  if (base) rmSync(base, { recursive: true, force: true });
});

function run(command: Command, account: Account = { kind: 'root' }): Outcome {
  return server.ssh([quoteArgv(argvFor(account, command))], command.stdin);
}

function docker(...words: readonly string[]): string {
  return run(dokku.hostCommand(['docker', ...words], { needsRoot: true })).stdout;
}

function containerNames(): string[] {
  return docker('ps', '--format', '{{.Names}}').trim().split('\n').sort();
}

function git(folder: string, ...words: string[]) {
  const env = {
    ...process.env,
    GIT_SSH_COMMAND: server.sshCommand(server.gitKey),
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  return spawnSync('git', [...who, ...words], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
}

function project(name: string, files: Record<string, string>): string {
  const folder = mkdtempSync(join(base, `${name}-`));
  git(folder, 'init', '--quiet', '--initial-branch=main');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'first');
  git(folder, 'remote', 'add', 'dokku', `ssh://${server.user}@127.0.0.1:${server.port}/${name}`);
  return folder;
}

function commit(folder: string, file: string, text: string): void {
  writeFileSync(join(folder, file), text);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'more');
}

/** Where an agent on the host finds its containers. */
const containersToMeasure = () => join(host.root, 'machine/sys/fs/cgroup/system.slice');

/** The ids of this sandbox's processes whose command line holds all these words. */
function processesWith(...words: readonly string[]): number[] {
  const lineOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    } catch {
      return []; // the process ended meanwhile
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const line = lineOf(pid);
      return line[1] === join(host.root, 'program.cjs') && words.every((word) => line.includes(word));
    })
    .map(Number);
}

function visit(domain: string): Promise<{ status: number; body: string } | 'closed'> {
  return new Promise((resolve) => {
    const sent = request(
      {
        // The front may close a kept connection just when it is used again, so each request opens a new one.
        agent: false,
        host: '127.0.0.1',
        port: host.frontPort,
        headers: { host: domain },
      },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    );
    sent.on('error', () => resolve('closed'));
    sent.end();
  });
}

const serverJs = (word: string) =>
  `require('http').createServer((q, s) => { console.log('GET ' + q.url); s.end('${word}') }).listen(process.env.PORT, '127.0.0.1', () => console.log('listening'))\n`;

/** These tests share the server and run in order. */
describe.sequential('a sandbox behind a real sshd', () => {
  test('has no Dokku before the installer ran, and the installer fails in the known ways', async () => {
    expect(failureOf(run(dokku.probe.version()))?.code).toBe('not_installed');
    expect(failureOf(run(dokku.probe.version(), own))?.code).toBe('not_installed');
    const script = join(base, 'bootstrap.sh');
    const domain = dokku.domainName('apps.example.com');
    expect(failureOf(run(dokku.bootstrap.fetchInstaller(script)))).toBeNull();
    for (const [fault, code] of [
      ['dpkg-lock', 'package_lock'],
      ['unsupported-os', 'system_unsupported'],
      ['hostname', 'hostname_missing'],
    ] as const) {
      host.setFault(fault, true);
      expect(failureOf(run(dokku.bootstrap.runInstaller(script, domain, { isGlobal: true })))?.code).toBe(
        code,
      );
      host.setFault(fault, false);
    }
    const folder = join(base, 'install');
    const install = dokku.bootstrap.runInstaller(script, domain, { isGlobal: true });
    expect(failureOf(run(dokku.detached.startDetached(folder, install.words)))).toBeNull();
    const read = () => dokku.detached.readDetachedState(run(dokku.detached.readDetached(folder, 0)));
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ kind: 'ended', exitCode: 0 });
    const ended = read();
    expect(dokku.bootstrap.readProgress(ended?.kind === 'ended' ? ended.log : '')).toBe('finishing');
    expect(dokku.probe.readVersion(run(dokku.probe.version(), own))).toBe('0.38.27');
    expect(dokku.probe.readProbe(run(dokku.probe.probe())).dokkuVersion).toBe('0.38.27');
    const global = server.ssh(['dokku domains:report --global --format json']);
    expect(JSON.parse(global.stdout)).toMatchObject({ 'global-vhosts': 'apps.example.com' });
  }, 60_000);

  test('refuses commands of root to the console’s own account', () => {
    const words = ['sudo', '-n', '-u', 'dokku', '-H', 'dokku', 'ssh-keys:add', 'alice'];
    expect(failureOf(server.ssh([quoteArgv(words)], `${server.gitPublicKey}\n`))).toEqual({
      code: 'must_be_root',
    });
  });

  test('names in every session its folder and the account for git pushes', () => {
    const said = server.ssh(['echo "$DOKKU_SANDBOX_ROOT $DOKKU_SANDBOX_GIT_USER"']);
    expect(said.stdout).toBe(`${host.root} ${server.user}\n`);
  });

  test('takes a key once, and the key reaches no shell', () => {
    const add = dokku.sshKeys.add(dokku.sshKeyName('alice'), server.gitPublicKey);
    expect(failureOf(run(add))).toBeNull();
    expect(failureOf(run(add))).toEqual({ code: 'duplicate_key' });
    const [key] = dokku.sshKeys.readList(run(dokku.sshKeys.list(), own)) ?? [];
    expect(key).toEqual({ name: 'alice', fingerprint: fingerprintOf(server.gitPublicKey) });
    expect(failureOf(server.ssh(['ls -la /'], '', server.gitKey))?.code).toBe('command_unknown');
    expect(server.ssh(['version'], '', server.gitKey).stdout).toBe('dokku version 0.38.27\n');
  });

  test('deploys a push of real git, serves the app by its domain, and streams its output', async () => {
    expect(failureOf(run(dokku.apps.create(hello), own))).toBeNull();
    expect(failureOf(run(dokku.ps.restart(hello), own))).toEqual({ code: 'not_deployed' });
    expect(failureOf(run(dokku.acl.add(hello, dokku.sshKeyName('alice')), own))).toBeNull();
    const folder = project('hello', {
      'package.json': '{"scripts":{"start":"node server.js"}}',
      'server.js': serverJs('one'),
      'README.md': '# hello\n',
    });
    const pushed = git(folder, 'push', 'dokku', 'main');
    expect(pushed.stderr).toContain('remote: =====> Application deployed:');
    expect(pushed.stderr).toContain('No Procfile: the sandbox runs the start script -> web');
    expect(pushed.status).toBe(0);
    expect(await visit('hello.apps.example.com')).toEqual({ status: 200, body: 'one' });
    expect(await visit('nobody.example.com')).toBe('closed');
    const [scope = ''] = readdirSync(containersToMeasure());
    expect(scope).toMatch(/^docker-[0-9a-f]{64}\.scope$/);
    const told = (file: string) => readFileSync(join(containersToMeasure(), scope, file), 'utf8');
    // A program that begins another one in its place holds no memory for a moment.
    await expect.poll(() => Number(told('memory.current'))).toBeGreaterThan(1_000_000);
    expect(told('cpu.stat')).toMatch(/^usage_usec \d+\n$/);
    expect(dokku.ps.readReport(run(dokku.ps.report(hello), own))).toMatchObject({
      deployed: true,
      running: 'true',
    });
    expect(dokku.builds.readList(run(dokku.builds.list(hello), own))[0]).toMatchObject({
      status: 'succeeded',
      source: 'git-hook',
    });
    const main = dokku.git.branchSchema.parse('main');
    expect(dokku.git.readReport(run(dokku.git.report(hello), own)).deployBranch).toBe('main');
    expect(dokku.git.readReadmeName(run(dokku.git.listFiles(hello, main)))).toBe('README.md');
    expect(run(dokku.git.readFile(hello, main, 'README.md')).stdout).toBe('# hello\n');
    const log = run(dokku.logs.read(hello, { lines: 50, follow: false }), own)
      .stdout.split('\n')
      .map(dokku.logs.readLine);
    expect(log.map((line) => line.text)).toEqual(expect.arrayContaining(['listening', 'GET /']));
    expect(log[0]).toMatchObject({ process: 'web.1', at: expect.any(Number) });
  }, 60_000);

  test('keeps the old version when the new one fails, and says why', async () => {
    const folder = project('hello', {
      'server.js': "console.error('cannot reach database'); process.exit(1)\n",
      Procfile: 'web: node server.js\n',
    });
    const pushed = git(folder, 'push', '--force', 'dokku', 'main');
    expect(failureOf({ exitCode: pushed.status, stdout: pushed.stdout, stderr: pushed.stderr })).toEqual({
      code: 'checks_failed',
    });
    expect(pushed.stderr).toContain('cannot reach database');
    expect(pushed.stderr).toContain('[remote rejected] main -> main (pre-receive hook declined)');
    expect(await visit('hello.apps.example.com')).toEqual({ status: 200, body: 'one' });
    // The image that was built last is the failed one, so a restart tries it, too, and keeps the old version again.
    expect(failureOf(run(dokku.ps.restart(hello), own))).toEqual({ code: 'checks_failed' });
    expect(await visit('hello.apps.example.com')).toEqual({ status: 200, body: 'one' });
    const other = git(folder, 'push', 'dokku', 'main:feature');
    expect(other.stderr).toContain('deploy did not complete, you must push to main.');
    expect(other.status).toBe(0);
    commit(folder, 'Procfile', '');
    rmSync(join(folder, 'server.js'));
    const nothing = git(folder, 'push', '--force', 'dokku', 'main');
    expect(failureOf({ exitCode: nothing.status, stdout: '', stderr: nothing.stderr })).toEqual({
      code: 'build_failed',
    });
  }, 60_000);

  test('stops, starts, restarts and rebuilds the real process', async () => {
    const good = project('hello', { 'server.js': serverJs('one'), Procfile: 'web: node server.js\n' });
    expect(git(good, 'push', '--force', 'dokku', 'main').status).toBe(0);
    expect(failureOf(run(dokku.ps.stop(hello), own))).toBeNull();
    expect(await visit('hello.apps.example.com')).toMatchObject({ status: 502 });
    expect(dokku.ps.readReport(run(dokku.ps.report(hello), own)).stopped).toBe(true);
    expect(readdirSync(containersToMeasure())).toEqual([]);
    for (const again of [dokku.ps.start(hello), dokku.ps.restart(hello), dokku.ps.rebuild(hello)]) {
      expect(failureOf(run(again, own))).toBeNull();
      expect(await visit('hello.apps.example.com')).toEqual({ status: 200, body: 'one' });
    }
  }, 60_000);

  test('hangs a terminal up; without one a followed log of a silent app outlives its reader until the next line', async () => {
    const argv = quoteArgv(argvFor(own, dokku.logs.read(hello, { lines: 1, follow: true })));
    const words = [...server.sshCommand(server.adminKey).split(' ').slice(1), '-p', String(server.port)];
    const readers = () => processesWith('logs', 'hello', '--tail');
    const follow = async (...options: string[]) => {
      const client = spawn('ssh', [...options, ...words, `${server.user}@127.0.0.1`, argv], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await new Promise((resolve) => client.stdout.once('data', resolve));
      expect(readers()).toHaveLength(1);
      return client;
    };
    (await follow('-tt')).kill('SIGKILL');
    await expect.poll(readers, { timeout: 15_000 }).toEqual([]);

    (await follow()).kill('SIGKILL');
    // Once its sshd has gone, the reader belongs to another parent.
    const parent = () => {
      const stat = readFileSync(`/proc/${readers()[0]}/stat`, 'utf8');
      const [, pid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return readFileSync(`/proc/${pid}/comm`, 'utf8');
    };
    await expect.poll(parent, { timeout: 15_000 }).not.toContain('sshd');
    expect(readers()).toHaveLength(1);
    await visit('hello.apps.example.com');
    await expect.poll(readers, { timeout: 15_000 }).toEqual([]);
  }, 60_000);

  test('ends a restart whose client is killed, and the app still serves', async () => {
    const folder = project('hello', {
      'server.js': `${serverJs('two')}console.log('slow')\n`,
      Procfile: `web: while [ -e ${join(base, 'hold')} ]; do sleep 0.1; done; exec node server.js\n`,
    });
    expect(git(folder, 'push', '--force', 'dokku', 'main').status).toBe(0);
    writeFileSync(join(base, 'hold'), '');
    const argv = quoteArgv(argvFor(own, dokku.ps.restart(hello)));
    const words = [...server.sshCommand(server.adminKey).split(' ').slice(1), '-p', String(server.port)];
    const client = spawn('ssh', [...words, `${server.user}@127.0.0.1`, argv], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await expect.poll(() => processesWith('supervise').length, { timeout: 15_000 }).toBe(2);
    client.kill('SIGKILL');
    await expect.poll(() => processesWith('ps:restart', 'hello'), { timeout: 40_000 }).toEqual([]);
    expect(processesWith('supervise')).toHaveLength(1);
    expect(containerNames()).toEqual(['hello.web.1']);
    expect(await visit('hello.apps.example.com')).toEqual({ status: 200, body: 'two' });
    rmSync(join(base, 'hold'));
  }, 90_000);

  test('says of plain files that a real Dokku refuses them, and that no Procfile declares them', async () => {
    const pushed = git(project('plain', { 'index.html': 'plain\n' }), 'push', 'dokku', 'main');
    expect(pushed.status).toBe(0);
    expect(pushed.stderr).toContain(
      'No Procfile: the sandbox runs plain files, which a real Dokku refuses without a Dockerfile or a buildpack -> web',
    );
    expect(pushed.stderr).not.toContain('Procfile declares');
    expect(failureOf(run(dokku.apps.destroy(dokku.appName('plain'))))).toBeNull();
  }, 60_000);

  test('refuses a second deploy while one builds', async () => {
    const slow = project('slow', { 'index.html': 'slow\n' });
    spawnSync('mkdir', [join(slow, 'bin')]);
    commit(slow, 'bin/pre_compile', `while [ ! -e ${join(base, 'go')} ]; do sleep 0.1; done\n`);
    const env = { ...process.env, GIT_SSH_COMMAND: server.sshCommand(server.gitKey) };
    const first = spawn('git', ['push', 'dokku', 'main'], { cwd: slow, env, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => first.once('exit', resolve));
    const name = dokku.appName('slow');
    const locked = () =>
      run(dokku.apps.exists(name)).exitCode === 0 &&
      dokku.apps.readReport(run(dokku.apps.report(name))).locked;
    await expect.poll(locked, { timeout: 20_000 }).toBe(true);
    const second = git(slow, 'push', 'dokku', 'main');
    expect(failureOf({ exitCode: second.status, stdout: '', stderr: second.stderr })).toEqual<DokkuFailure>({
      code: 'deploy_locked',
    });
    expect(failureOf(run(dokku.ps.rebuild(name)))).toEqual<DokkuFailure>({ code: 'deploy_locked' });
    // As recorded in locks.json: the refused deploys have records, which the end of the running deploy closes.
    const refused = [
      ['ps:rebuild', 'failed'],
      ['git-hook', 'failed'],
    ];
    const history = () =>
      dokku.builds.readList(run(dokku.builds.list(name))).map(({ source, status }) => [source, status]);
    expect(history()).toEqual([['git-hook', 'running'], ...refused]);
    writeFileSync(join(base, 'go'), '');
    expect(await ended).toBe(0);
    expect(history()).toEqual([...refused, ['git-hook', 'succeeded']]);
    expect(await visit('slow.apps.example.com')).toEqual({ status: 200, body: 'slow\n' });
  }, 60_000);

  test('answers docker from the real processes, with limits that take effect at a restart, and answers ufw', () => {
    const inForce = () =>
      dokku.ps.readInspect(run(dokku.ps.inspect(hello), own)).map((one) => [one.memoryBytes, one.cpus]);
    expect(failureOf(run(dokku.resource.limit(hello, { memoryMb: 256, cpus: 0.5 }), own))).toBeNull();
    expect(inForce()).toEqual([[null, null]]);
    expect(failureOf(run(dokku.ps.restart(hello), own))).toBeNull();
    expect(inForce()).toEqual([[256 * 1024 * 1024, 0.5]]);
    expect(containerNames()).toEqual(['hello.web.1', 'slow.web.1']);
    const [used = '', limit] = docker('stats', '--no-stream', '--format', '{{.MemUsage}}', 'hello.web.1')
      .trim()
      .split(' / ');
    expect(used).toMatch(/^[\d.]+MiB$/);
    expect(Number.parseFloat(used)).toBeGreaterThan(10);
    expect(limit).toBe('256MiB');
    expect(dokku.firewall.readStatus(run(dokku.firewall.status())).kind).toBe('inactive');
  }, 60_000);

  test('destroys an app and leaves no process of it behind', async () => {
    expect(failureOf(run(dokku.apps.destroy(hello), own))).toBeNull();
    expect(failureOf(run(dokku.apps.exists(hello), own))).toEqual({ code: 'app_missing', app: 'hello' });
    expect(await visit('hello.apps.example.com')).toBe('closed');
    expect(containerNames()).toEqual(['slow.web.1']);
  });
});
