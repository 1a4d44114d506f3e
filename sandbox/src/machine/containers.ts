import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeCgroup } from './cgroup.ts';
import { readState, readText, writeState } from './files.ts';
import type { ContainerLimits } from './limits.ts';
import type { Paths } from './paths.ts';
import { isAlive, signal } from './processes.ts';

/** An ordinary process under a supervisor, in place of a Docker container. */
export type Container = {
  id: string;
  app: string;
  /** `web.1` */
  process: string;
  command: string;
  folder: string;
  env: Record<string, string>;
  port: number;
  createdAt: string;
  /** Stored and reported, not enforced. */
  limits: ContainerLimits;
  /** Docker's word for when it starts the container again. Default `on-failure:10`; reported, not obeyed. */
  restartPolicy?: string;
  /** The image and its labels where it is not that of its code. */
  image?: { id: string; labels: Record<string, string> };
  /** What asks the program to end. Default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Of a one-off command, whose container goes with its end. */
  words?: readonly string[];
  /** Of a container that a service plugin made, which belongs to no app. */
  service?: ServiceContainer;
};

export type ServiceContainer = {
  /** `ambassador`: leads ports of the server to the service. */
  role: 'service' | 'ambassador';
  type: string;
  name: string;
  image: string;
  /** `host`: a port of the server, or an address and a port; null: only containers reach it. */
  ports: { container: number; host: string | null }[];
  /** Where the data lie on the server and in the container. */
  dataFolder: string;
  dataPath: string;
};

/** Only the supervisor writes this. */
export type ContainerState = {
  status: 'running' | 'restarting' | 'exited';
  supervisor: number;
  supervisorTicks: string | null;
  /** The process group of the running program. */
  group: number;
  startedAt: string;
  exitCode: number;
  /** Not there before it ended for the first time. */
  finishedAt?: string;
  restarts: number;
};

export const filesOf = (paths: Paths, id: string) => ({
  meta: join(paths.container(id), 'meta.json'),
  state: join(paths.container(id), 'state.json'),
  log: join(paths.container(id), 'log'),
});

export function containerOf(paths: Paths, id: string): Container | undefined {
  const found = readState<Container>(filesOf(paths, id).meta);
  // A folder of an earlier run may hold containers from before limits were stored.
  return found && { ...found, limits: found.limits ?? { memory: 0, nanoCpus: 0 } };
}

export function stateOf(paths: Paths, id: string): ContainerState | undefined {
  const state = readState<ContainerState>(filesOf(paths, id).state);
  if (state && state.status !== 'exited' && !isAlive(state.supervisor, state.supervisorTicks)) {
    return { ...state, status: 'exited', exitCode: 137 };
  }
  return state;
}

export function allContainers(paths: Paths): Container[] {
  return readdirSync(paths.containers).flatMap((id) => containerOf(paths, id) ?? []);
}

export async function startContainer(
  paths: Paths,
  what: Omit<Container, 'id' | 'port' | 'createdAt'>,
): Promise<Container> {
  const container = await createContainer(paths, what);
  await supervise(paths, container.id);
  return container;
}

/** Without a process. */
export async function createContainer(
  paths: Paths,
  what: Omit<Container, 'id' | 'port' | 'createdAt'>,
): Promise<Container> {
  const port = await freePort();
  const container: Container = {
    ...what,
    env: { ...what.env, PORT: String(port) },
    id: randomBytes(32).toString('hex'),
    port,
    createdAt: new Date().toISOString(),
  };
  mkdirSync(paths.container(container.id), { recursive: true });
  writeState(filesOf(paths, container.id).meta, container);
  return container;
}

/** Starts the supervisor in a session of its own without our streams, so that an SSH channel can end while the app runs on. */
export async function supervise(paths: Paths, id: string): Promise<void> {
  rmSync(filesOf(paths, id).state, { force: true });
  const child = spawn(process.execPath, [paths.program, 'supervise', id], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, DOKKU_SANDBOX_ROOT: paths.root },
  });
  child.unref();
  // The container of a one-off command is gone again once the command has ended.
  const { state, meta } = filesOf(paths, id);
  await until(() => readText(state) !== undefined || readText(meta) === undefined, 10_000);
}

/** Sends SIGTERM, and after Docker's grace period SIGKILL. Resolves when the container has ended. */
export async function stopContainer(paths: Paths, id: string, graceMs = 10_000): Promise<void> {
  const state = stateOf(paths, id);
  if (!state || state.status === 'exited') return;
  signal(state.supervisor, 'SIGTERM');
  const hasEnded = () => (stateOf(paths, id)?.status ?? 'exited') === 'exited';
  if (await until(hasEnded, graceMs)) return;
  signal(-state.group, 'SIGKILL');
  await until(hasEnded, 2_000);
}

/** SIGKILL, after which Docker does not start it again: the policy is for what ends by itself. */
export function killContainer(paths: Paths, id: string): void {
  const state = stateOf(paths, id);
  if (!state || state.status === 'exited') return;
  signal(state.supervisor, 'SIGKILL');
  signal(-state.group, 'SIGKILL');
  removeCgroup(paths, id);
  const finishedAt = new Date().toISOString();
  writeState(filesOf(paths, id).state, { ...state, status: 'exited', exitCode: 137, finishedAt });
}

export async function removeContainer(paths: Paths, id: string): Promise<void> {
  await stopContainer(paths, id);
  rmSync(paths.container(id), { recursive: true, force: true });
}

export async function until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) return false;
    await sleep(20);
  }
  return true;
}

export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No port.')),
      );
    });
  });
}

/** The time in Docker's form with nanoseconds, of which JavaScript knows only milliseconds. */
export function stamp(): string {
  return new Date().toISOString().replace('Z', '000000Z');
}
