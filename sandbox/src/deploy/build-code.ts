import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Call, Exit } from '../machine/call.ts';
import { variablesOf } from '../machine/env-file.ts';
import { readText } from '../machine/files.ts';
import { gitEnvironment } from '../machine/repository.ts';
import { trigger } from '../machine/run-plugin.ts';
import type { App, CronTask } from '../machine/state.ts';
import { pruneImages } from './images.ts';

type Built = {
  processes: Record<string, string>;
  exposed: number | null;
  procfile: string | undefined;
  manifest: string | undefined;
  checksFile: string | undefined;
  template: string | undefined;
  formation: Record<string, number> | null;
  cron: CronTask[];
};

/**
 * Takes the code of a commit out of the app's repository and builds it. Returns the command of each process type, and the port that
 * a Dockerfile exposes.
 */
export async function buildCode(call: Call, app: App, commit: string, build: string): Promise<Built> {
  const { paths } = call.state;
  const folder = paths.code(app.name, build);
  call.say('Cleaning up...');
  pruneImages(call.state, app.name);
  if (app.users.length > 0 && call.keyName !== null && !app.users.includes(call.keyName)) {
    call.err(`User ${call.keyName} does not have permissions to modify this repository`);
    call.fail('App build failed');
  }
  call.say(`Building ${app.name} from herokuish`);
  mkdirSync(folder, { recursive: true });
  const checkout = 'git --git-dir="$1" archive "$2" | tar -x -C "$3"';
  await step(
    call,
    ['sh', '-c', checkout, 'checkout', paths.repository(app.name), commit, folder],
    folder,
    gitEnvironment(),
  );
  await trigger(call, 'post-extract', [app.name, folder, commit], call.build);
  call.say('Setting up the sandbox: no container, no isolation');
  await call.pause(3_000);
  const processes = processTypes(folder, paths.program);
  if (Object.keys(processes).length === 0) {
    call.detail(
      'Nothing to run: the sandbox takes a Procfile, a start script in package.json or an index.html',
    );
    call.fail('App build failed');
  }
  if (existsSync(join(folder, 'bin/pre_compile'))) {
    call.say('Running pre-compile hook');
    await step(call, ['sh', 'bin/pre_compile'], folder, { ...process.env, ...variablesOf(call, app) });
  }
  call.say('Discovering process types');
  const types = Object.keys(processes).join(', ');
  if (existsSync(join(folder, 'Procfile'))) call.detail(`Procfile declares types -> ${types}`);
  else
    call.detail(
      `No Procfile: the sandbox runs ${existsSync(join(folder, 'package.json')) ? 'the start script' : plainFiles} -> ${types}`,
    );
  return {
    processes,
    exposed: exposedPort(folder),
    procfile: readText(join(folder, 'Procfile')),
    manifest: readText(join(folder, 'app.json')),
    checksFile: readText(join(folder, 'CHECKS')),
    template: readText(join(folder, 'nginx.conf.sigil')),
    ...manifestOf(folder),
  };
}

/**
 * What app.json says of numbers and of scheduled tasks. Like Dokku, takes a type that is not named as 0 as soon as one number is there.
 */
function manifestOf(folder: string): Pick<Built, 'formation' | 'cron'> {
  const { formation = {}, cron = [] } = JSON.parse(readText(join(folder, 'app.json')) ?? '{}') as {
    formation?: Record<string, { quantity?: number }>;
    cron?: CronTask[];
  };
  const set = Object.entries(formation).flatMap(([type, { quantity }]) =>
    quantity === undefined ? [] : [[type, quantity] as const],
  );
  return { formation: set.length > 0 ? Object.fromEntries(set) : null, cron };
}

/** Herokuish has no buildpack for these, so a newcomer must not take it for what a server does. */
const plainFiles = 'plain files, which a real Dokku refuses without a Dockerfile or a buildpack';

/** The sandbox reads nothing else of a Dockerfile. */
function exposedPort(folder: string): number | null {
  const dockerfile = join(folder, 'Dockerfile');
  if (!existsSync(dockerfile)) return null;
  const found = /^EXPOSE (\d{1,5})$/m.exec(readFileSync(dockerfile, 'utf8'));
  return found ? Number(found[1]) : null;
}

/** Prefers the Procfile, like Dokku; then the start script; then plain files. */
function processTypes(folder: string, program: string): Record<string, string> {
  const procfile = join(folder, 'Procfile');
  if (existsSync(procfile)) return typesIn(readFileSync(procfile, 'utf8'));
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) {
    const scripts = (JSON.parse(readFileSync(manifest, 'utf8')) as { scripts?: Record<string, string> })
      .scripts;
    if (scripts?.start) return { web: scripts.start };
  }
  if (existsSync(join(folder, 'index.html')))
    return { web: `exec "${process.execPath}" "${program}" static . "$PORT"` };
  return {};
}

/** The command of each type in a Procfile. */
export function typesIn(procfile: string): Record<string, string> {
  const rows = [...procfile.matchAll(/^([A-Za-z][\w-]*):\s*(\S.*)$/gm)];
  return Object.fromEntries(rows.map((row) => [row[1], row[2]]));
}

async function step(
  call: Call,
  argv: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const [file = '', ...words] = argv;
  const child = spawn(file, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => call.detail(line));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  call.warn('App build failed');
  throw new Exit(1);
}
