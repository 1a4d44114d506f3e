import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Call, Exit } from '../machine/call.ts';
import {
  allContainers,
  type Container,
  containerOf,
  filesOf,
  freePort,
  listens,
  removeContainer,
  stateOf,
  stopContainer,
  supervise,
  until,
} from '../machine/containers.ts';
import { readText, writeState } from '../machine/files.ts';
import { bytesOf } from '../machine/limits.ts';
import type { Paths } from '../machine/paths.ts';
import { engineOf } from './engines/engine-of.ts';
import { portsOfKind } from './kinds.ts';
import { changeService, dataFolderOf, imageOf, type Service } from './service.ts';

type Role = 'service' | 'ambassador';

/** The container of a service, or the one that leads ports of the server to it. */
export function containerOfService(paths: Paths, service: Service, role: Role): Container | undefined {
  return allContainers(paths).find(
    ({ service: of }) => of?.role === role && of.type === service.kind.type && of.name === service.name,
  );
}

/** Docker's word, or the plugins' own for a container that is gone. */
export function statusOf(paths: Paths, service: Service): string {
  const container = containerOf(paths, service.containerId);
  return container ? (stateOf(paths, container.id)?.status ?? 'created') : 'missing';
}

/** Makes a container for the service and starts it, with what the plugin prints. Fails where the service does not get ready. */
export async function createContainer(call: Call, service: Service): Promise<Service> {
  const { paths } = call.state;
  const fails = existsSync(paths.fault('service'));
  const real = fails ? null : engineOf(paths, service);
  const command = real ? real.engine.command(real.place) : fails ? failing : idle;
  const container = await newContainer(paths, service, 'service', command);
  const created = { ...service, containerId: container.id };
  changeService(paths, created, { containerId: container.id });
  await supervise(paths, container.id);
  await reconcilePorts(call, created);
  call.detail('Waiting for container to be ready');
  await call.pause(4_000);
  if (real) await until(() => real.engine.isReady(real.place), 30_000);
  if (fails) await refuse(call, created);
  return created;
}

/** Without a real server, a file stands for the data of the service. */
const idle =
  'echo "The sandbox runs no database: the port of this service answers nothing."; exec sleep infinity';
const failing = 'echo "FATAL: the data directory has no space left"; exit 1';

async function refuse(call: Call, { name, containerId }: Service): Promise<never> {
  const log = filesOf(call.state.paths, containerId).log;
  await until(() => (readText(log) ?? '') !== '', 5_000);
  call.title(`Start of ${name} container output`);
  const lines = (readText(log) ?? '').split('\n').slice(0, -1);
  for (const line of lines) call.detail(line.slice(line.indexOf(' ') + 1));
  call.title(`End of ${name} container output`);
  throw new Exit(1);
}

function stopSignalOf(paths: Paths, service: Service, role: Role): Pick<Container, 'stopSignal'> {
  const real = role === 'service' ? engineOf(paths, service) : null;
  return real ? { stopSignal: real.engine.stopSignal } : {};
}

async function newContainer(paths: Paths, service: Service, role: Role, command: string): Promise<Container> {
  const { kind, name, ports } = service;
  const container: Container = {
    id: randomBytes(32).toString('hex'),
    app: '',
    process: '',
    command,
    folder: paths.root,
    env: { PATH: process.env.PATH ?? '', DOKKU_SANDBOX_ROOT: paths.root },
    port: await freePort(),
    ...stopSignalOf(paths, service, role),
    createdAt: new Date().toISOString(),
    limits: { memory: role === 'service' ? bytesOf(String(service.memoryMb ?? 0)) : 0, nanoCpus: 0 },
    service: {
      role,
      type: kind.type,
      name,
      image: role === 'service' ? imageOf(service) : 'dokku/ambassador:0.8.2',
      ports: portsOfKind(kind).map((port, at) => ({
        container: port,
        host: role === 'service' ? null : (ports[at] ?? null),
      })),
      dataFolder: dataFolderOf(paths, kind, name),
      dataPath: kind.dataPath,
    },
  };
  mkdirSync(paths.container(container.id), { recursive: true });
  writeState(filesOf(paths, container.id).meta, container);
  return container;
}

/** Brings the container that leads the ports in line with what is exposed. Fails where a port is taken, like `docker run`. */
export async function reconcilePorts(call: Call, service: Service): Promise<void> {
  const { paths } = call.state;
  const present = containerOfService(paths, service, 'ambassador');
  if (service.ports.length === 0) {
    if (present) await call.pause(10_000);
    if (present) await removeContainer(paths, present.id);
    return;
  }
  if (present && stateOf(paths, present.id)?.status === 'running') return;
  const hostPorts = service.ports.map((word) => Number(word.slice(word.lastIndexOf(':') + 1)));
  const command = existsSync(paths.fault('ambassador')) ? linkless : leading(paths, service, hostPorts);
  const container = present ?? (await newContainer(paths, service, 'ambassador', command));
  const at = await firstTaken(hostPorts);
  if (at >= 0) refusePort(call, service, service.ports[at] ?? '');
  await supervise(paths, container.id);
  await until(async () => {
    const state = stateOf(paths, container.id);
    return state?.status !== 'running' || (await listens(hostPorts[0] ?? 0));
  }, 5_000);
}

/** What the image says on Docker 29, which sets no variables for links any more. */
const linkless =
  'echo "Failed to autodetect target host/container and port using --link environment"; exit 1';

/** Each port of the server, and where it leads to where a real server listens. */
function leading(paths: Paths, service: Service, ports: readonly number[]): string {
  const real = engineOf(paths, service);
  const words = ports.map((port, at) =>
    real ? `${port}=${real.place.address}:${portsOfKind(service.kind)[at]}` : String(port),
  );
  return `exec '${process.execPath}' '${paths.program}' ambassador ${words.join(' ')}`;
}

function refusePort(call: Call, { kind, name }: Service, word: string): never {
  const port = word.slice(word.lastIndexOf(':') + 1);
  const address = word.includes(':') ? word.slice(0, word.lastIndexOf(':')) : '0.0.0.0';
  if (!/^\d+$/.test(port)) {
    call.err(`docker: invalid hostPort: ${port}.`);
    throw new Exit(125);
  }
  const endpoint = `dokku.${kind.type}.${name}.ambassador (${randomBytes(32).toString('hex')})`;
  call.err(
    `docker: Error response from daemon: driver failed programming external connectivity on endpoint ${endpoint}: Bind for ${address}:${port} failed: port is already allocated.`,
  );
  throw new Exit(125);
}

/** The place of the first port that is taken or no port; -1: all are free. The sandbox opens ports on loopback only. */
async function firstTaken(ports: readonly number[]): Promise<number> {
  for (const [at, port] of ports.entries()) if (!(await isFree(port))) return at;
  return -1;
}

function isFree(port: number): Promise<boolean> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return Promise.resolve(false);
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Stops the service's containers and keeps them. */
export async function stopContainers(call: Call, service: Service): Promise<void> {
  const { paths } = call.state;
  for (const role of ['service', 'ambassador'] as const) {
    const container = containerOfService(paths, service, role);
    if (container) await stopContainer(paths, container.id);
  }
}
