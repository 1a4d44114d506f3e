import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './containers.ts';
import { readState, writeState } from './files.ts';
import type { Paths } from './paths.ts';
import { isAlive, signal, startTicksOf } from './processes.ts';

type Kept = { pid: number; ticks: string | null; argv: readonly string[] };

/**
 * `sandbox-keep <name> <argv…>`: keeps a service in place of systemd. Ends an earlier service of that name and starts the program
 * in a session of its own, with its output in `kept/<name>.log`. Without an argv it only ends the earlier service. Resolves with
 * the exit code: 0 started or ended, 2 wrongly called, 127 no such program.
 */
export async function keep(paths: Paths, words: readonly string[]): Promise<number> {
  const [name = '', file, ...rest] = words;
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) {
    process.stderr.write('sandbox-keep: usage: sandbox-keep <name> [<program> <argument>…]\n');
    return 2;
  }
  mkdirSync(paths.kept, { recursive: true });
  await endOne(paths, name);
  if (file === undefined) return 0;
  const log = openSync(join(paths.kept, `${name}.log`), 'w');
  const child = spawn(file, rest, { cwd: paths.root, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  try {
    await once(child, 'spawn');
  } catch (error) {
    process.stderr.write(`sandbox-keep: ${error instanceof Error ? error.message : String(error)}\n`);
    return 127;
  }
  const pid = child.pid ?? 0;
  const kept: Kept = { pid, ticks: startTicksOf(pid), argv: [file, ...rest] };
  writeState(recordOf(paths, name), kept);
  child.unref();
  return 0;
}

/** Ends all kept services, each with its whole process group. */
export async function endKept(paths: Paths): Promise<void> {
  mkdirSync(paths.kept, { recursive: true });
  const names = readdirSync(paths.kept).filter((file) => file.endsWith('.json'));
  await Promise.all(names.map((file) => endOne(paths, file.slice(0, -'.json'.length))));
}

async function endOne(paths: Paths, name: string): Promise<void> {
  const kept = readState<Kept>(recordOf(paths, name));
  rmSync(recordOf(paths, name), { force: true });
  if (!kept || !isAlive(kept.pid, kept.ticks)) return;
  const ended = () => !isAlive(kept.pid, kept.ticks);
  signal(-kept.pid, 'SIGTERM');
  if (await until(ended, 3_000)) return;
  signal(-kept.pid, 'SIGKILL');
  await until(ended, 2_000);
}

const recordOf = (paths: Paths, name: string) => join(paths.kept, `${name}.json`);
