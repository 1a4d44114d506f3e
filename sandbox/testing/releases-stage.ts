import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from '../src/index.ts';
import { listens } from '../src/machine/containers.ts';
import { pathsOf } from '../src/machine/paths.ts';
import { State } from '../src/machine/state.ts';

/** Code of an app whose page says the word. */
export const server = (word: string, fault = '') =>
  `${fault}require("http").createServer((_, answer) => answer.end(${JSON.stringify(word)})).listen(process.env.PORT);`;

/** A sandbox with the plugin's own files, for the tests of one file, and an app of which it keeps versions. */
export function releasesStage(app: dokku.AppName, dokkuVersion?: string) {
  const host = hostWith(app, dokkuVersion);
  const push = pusher(app, host);
  const readings = readingsOf(app, host);
  const { releases } = host;

  /** Two versions of the app, of which the second serves: their words. */
  async function twoVersions(words: readonly [string, string], files: Record<string, string> = {}) {
    const procfile = (word: string) => ({ Procfile: `web: node serve.js --as ${word}\n`, ...files });
    const first = push(words[0], procfile(words[0]));
    push(words[1], procfile(words[1]));
    const target = (await releases()).kept.find(({ commit }) => commit === first);
    if (!target) throw new Error('It was kept.');
    return { target: target.id, serving: await readings.whole() };
  }
  return {
    ...{ ...host, ...readings, push, twoVersions },
    ...faultsOf(app, host),
  };
}

type Host = ReturnType<typeof hostWith>;

function hostWith(app: dokku.AppName, dokkuVersion?: string) {
  let folder: string;
  let host: SandboxHost;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'homeport-releases-'));
    host = await prepareSandboxHost({
      root: join(folder, 'host'),
      ...(dokkuVersion !== undefined && { dokkuVersion }),
    });
    const place = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
    cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), place, { recursive: true });
    await succeed(dokku.plugin.enable('homeport'));
    await succeed(dokku.apps.create(app));
  }, 120_000);
  afterAll(async () => {
    await host?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function dokkuRun(words: readonly string[]): Promise<dokku.Outcome> {
    return new Promise((resolve) =>
      execFile('dokku', words, { env: host.env, maxBuffer: 8 << 20 }, (error, stdout, stderr) =>
        resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
      ),
    );
  }
  const run = (command: dokku.Command) => dokkuRun(command.words);
  async function succeed(command: dokku.Command): Promise<dokku.Outcome> {
    const outcome = await run(command);
    expect([outcome.exitCode, outcome.stdout + outcome.stderr]).toEqual([0, expect.anything()]);
    return outcome;
  }
  const docker = async (...words: string[]) =>
    (await promisify(execFile)('docker', words, { env: host.env })).stdout.trim();
  const kept = () => join(host.root, 'lib/data/homeport/releases', app);
  const tags = async () =>
    (await docker('image', 'ls', '--format', '{{.Tag}}', `homeport.invalid/kept/${app}`))
      .split('\n')
      .filter(Boolean);

  async function state() {
    const told = dokku.homeport.readState(await succeed(dokku.homeport.state(app)));
    if (!told) throw new Error('The plugin told of no app.');
    return told;
  }
  const releases = async () => (await state()).releases;
  beforeEach(() => rmSync(join(host.root, 'faults'), { recursive: true, force: true }));

  return {
    ...{ dokkuRun, run, succeed, docker, state, releases, kept, tags },
    root: () => host.root,
    environment: () => host.env,
    scratch: (name: string) => join(folder, name),
  };
}

function pusher(app: dokku.AppName, { root, environment, scratch }: Host) {
  let work: string;
  /** Pushes a version whose page says `word`. Returns its commit. */
  return function push(word: string, files: Record<string, string> = {}): string {
    work ??= mkdtempSync(scratch('project-'));
    const all = { 'serve.js': server(word), Procfile: `web: node serve.js --as ${word}\n`, ...files };
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(work, name)), { recursive: true });
      writeFileSync(join(work, name), text);
    }
    const ssh = scratch('ssh');
    writeFileSync(ssh, `#!/bin/sh\nshift\nSSH_ORIGINAL_COMMAND="$*" exec ${root()}/bin/dokku-key tester\n`, {
      mode: 0o755,
    });
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-C', work, ...words], {
        env: { ...process.env, ...environment(), GIT_SSH: ssh, GIT_SSH_VARIANT: 'simple' },
        stdio: 'pipe',
        encoding: 'utf8',
      });
    if (!existsSync(join(work, '.git'))) git('init', '-q', '-b', 'master');
    git('add', '.');
    git('commit', '-q', '-m', word);
    git('push', '-q', `dokku@host:${app}`, 'master');
    return git('rev-parse', 'HEAD').trim();
  };
}

function readingsOf(app: dokku.AppName, { dokkuRun, docker, state, releases, kept, root }: Host) {
  async function served(): Promise<string> {
    const port = JSON.parse(await docker('inspect', '--format', '{{json .Config.Env}}', `${app}.web.1`))
      .find((pair: string) => pair.startsWith('PORT='))
      .slice('PORT='.length);
    expect(await listens(Number(port))).toBe(true);
    return (await fetch(`http://127.0.0.1:${port}`)).text();
  }
  const head = () =>
    execFileSync('git', [`--git-dir=${join(root(), 'home', app)}`, 'rev-parse', 'master'], {
      encoding: 'utf8',
    }).trim();
  const revision = async () =>
    /GIT_REV='([0-9a-f]{40})'/.exec((await dokkuRun(['config:export', app])).stdout)?.[1];

  /** What a going-back changes, as far as it can be asked. */
  const whole = async () => ({
    served: await served(),
    head: head(),
    revision: await revision(),
    command: (await state()).processTypes?.types.find(({ type }) => type === 'web')?.command,
    left: readdirSync(kept()).filter((name) => !/^[a-z0-9]+$/.test(name)),
  });

  /** The oldest that does not serve. */
  const another = async () => {
    const { kept: all, serving } = await releases();
    const found = all.findLast(({ id }) => id !== serving)?.id;
    if (!found) throw new Error('Nothing else is kept.');
    return found;
  };

  return { served, revision, whole, another };
}

function faultsOf(app: dokku.AppName, { root, environment, scratch }: Host) {
  /** Ends the work itself, and all that it started, at that moment. */
  async function cutOff(
    id: dokku.releases.ReleaseId,
    reached: (text: string) => boolean,
    signal: NodeJS.Signals,
    afterwards = () => {},
  ): Promise<void> {
    const child = spawn('dokku', dokku.releases.goBack(app, id).words.slice(0), { env: environment() });
    let text = '';
    child.stdout.on('data', (data) => {
      text += String(data);
    });
    await vi.waitFor(() => expect([reached(text), child.exitCode]).toEqual([true, null]), {
      timeout: 30_000,
      interval: 20,
    });
    const worker = readdirSync('/proc').find((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        // Shells that it forks have its words, and its group.
        const [, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
        return (
          group === pid && words[0] === 'bash' && words[1]?.endsWith('rollback-work') && words.includes(id)
        );
      } catch {
        return false;
      }
    });
    process.kill(-Number(worker), signal);
    afterwards();
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  }

  /** Runs these lines of the shell before each start of the program, until the answer is called. */
  function intercept(program: 'dokku' | 'docker', lines: string): () => void {
    const path = join(root(), 'bin', program);
    renameSync(path, `${path}.real`);
    writeFileSync(path, `#!/bin/sh\n${lines}\nexec ${path}.real "$@"\n`, { mode: 0o755 });
    return () => renameSync(`${path}.real`, path);
  }
  const pace = (value: number) =>
    new State(pathsOf(root())).change((changed) => {
      changed.pace = value;
    });
  /** Ends a going-back by the signal while it sets the variable with the commit: the image is that of the release, and so are the files. */
  async function cutOffInFiles(
    id: dokku.releases.ReleaseId,
    signal: NodeJS.Signals,
    afterwards = () => {},
  ): Promise<void> {
    const reached = scratch('reached');
    rmSync(reached, { force: true });
    const undo = intercept(
      'dokku',
      `if [ "$2" = config:set ] && [ ! -e ${reached} ]; then touch ${reached}; exec sleep 60; fi`,
    );
    try {
      await cutOff(id, () => existsSync(reached), signal, afterwards);
    } finally {
      undo();
    }
  }

  return { cutOff, cutOffInFiles, intercept, pace };
}
