import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, callerHere, type Write } from '../machine/call.ts';
import {
  allContainers,
  type Container,
  killContainer,
  removeContainer,
  stateOf,
} from '../machine/containers.ts';
import { inspected, labelsOf, nameOf } from '../machine/inspect-container.ts';
import { pathsFromEnvironment } from '../machine/paths.ts';
import { hostMemoryBytes, usageOfGroup } from '../machine/processes.ts';
import { State } from '../machine/state.ts';
import { build, dockerImage } from './docker-images.ts';
import { render } from './render-template.ts';

const state = () => new State(pathsFromEnvironment());

/** Stands in for the docker client. Answers the questions of the console and the agent from /proc. */
export async function docker(
  words: readonly string[],
  { write, start, stdin }: Pick<Caller, 'write' | 'start' | 'stdin'> = callerHere(),
): Promise<number> {
  const [command, ...rest] = words;
  if (command === 'version')
    return print(write, render(formatOf(rest) ?? 'Docker 20.10.24', { Server: { Version: '20.10.24' } }));
  if (command === 'ps') return list(write, rest);
  if (command === 'stats') return stats(write, rest);
  if (command === 'inspect') return inspect(write, rest);
  if (command === 'container' && rest[0] === 'inspect') return inspect(write, rest.slice(1));
  if (command === 'container' && rest[0] === 'rm') return remove(write, rest.slice(1));
  if (command === 'image') return dockerImage({ write, state: state() }, rest);
  if (command === 'build') return build({ write, state: state() }, rest, stdin);
  if (command === 'info')
    return print(write, render(formatOf(rest) ?? '', { DockerRootDir: state().paths.root }));
  if (command === 'kill') return kill(write, rest);
  if (command === 'exec') return execute({ write, start }, rest);
  if (command === 'cp') return copyInto(write, rest);
  write(2, `docker: '${command ?? ''}' is not a docker command of this sandbox.\n`);
  return 1;
}

function list(write: Write, words: readonly string[]): number {
  const format = formatOf(words) ?? '{{.ID}}\t{{.Names}}\t{{.State}}';
  const filters = words.filter((_word, at) => words[at - 1] === '--filter' || words[at - 1] === '-f');
  for (const container of newestFirst(allContainers(state().paths))) {
    if (!filters.every((filter) => fits(container, filter))) continue;
    const status = stateOf(state().paths, container.id)?.status ?? 'created';
    if (status !== 'running' && !words.includes('-a') && !words.includes('--all')) continue;
    const id = words.includes('--no-trunc') ? container.id : container.id.slice(0, 12);
    print(
      write,
      render(format, {
        ID: id,
        Image: container.service?.image ?? `dokku/${container.app}:latest`,
        Names: nameOf(container),
        Ports: status === 'running' ? portsOf(container) : '',
        State: status,
        CreatedAt: container.createdAt.replace(/^([\d-]+)T([\d:]+)\.\d+Z$/, '$1 $2 +0000 UTC'),
        Size: '0B (virtual 137MB)',
        Labels: labelsOf(container),
      }),
    );
  }
  return 0;
}

const newestFirst = (all: Container[]) => all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));

/** Docker's filters that somebody uses: `name=` for a part of the name, `label=` with or without a value. */
function fits(container: Container, filter: string): boolean {
  const [kind, key = '', value] = filter.split('=');
  if (kind === 'name') return nameOf(container).includes(key);
  if (kind === 'label') {
    const label = labelsOf(container)[key];
    return label !== undefined && (value === undefined || label === value);
  }
  return true;
}

/** `6379/tcp`, `127.0.0.1:26379->6379/tcp`, and both families of addresses for a port without an address. */
function portsOf({ service }: Container): string {
  const words = (service?.ports ?? []).flatMap(({ container, host }) => {
    if (host === null) return [`${container}/tcp`];
    return (host.includes(':') ? [host] : [`0.0.0.0:${host}`, `:::${host}`]).map(
      (port) => `${port}->${container}/tcp`,
    );
  });
  return words.join(', ');
}

/** Runs a program on the machine, which finds the data of a service where the container has them. */
async function execute({ write, start }: Pick<Caller, 'write' | 'start'>, words: readonly string[]) {
  const [name = '', program = '', ...rest] = words;
  const container = find(write, [name])?.[0];
  if (!container) return 1;
  if (stateOf(state().paths, container.id)?.status !== 'running') {
    write(2, `Error response from daemon: Container ${container.id} is not running\n`);
    return 1;
  }
  const { dataPath, dataFolder } = container.service ?? {};
  const own = rest.map((word) => (word === dataPath && dataFolder !== undefined ? dataFolder : word));
  return start([program, ...own], {});
}

/** Copies a file of the machine to a place beneath a service's data. The container need not run. */
function copyInto(write: Write, words: readonly string[]): number {
  const [source = '', target = ''] = words;
  const [name = '', place = ''] = target.split(':');
  const { dataPath = '', dataFolder } = find(write, [name])?.[0]?.service ?? {};
  if (dataFolder === undefined || !place.startsWith(`${dataPath}/`)) return 1;
  copyFileSync(source, join(dataFolder, place.slice(dataPath.length)));
  return 0;
}

async function stats(write: Write, words: readonly string[]): Promise<number> {
  const wanted = namesIn(words);
  const found = wanted.length === 0 ? allContainers(state().paths) : find(write, wanted);
  if (!found) return 1;
  const groups = found.map((container) => stateOf(state().paths, container.id));
  const before = groups.map((group) => usageOfGroup(group?.group ?? 0).cpuTicks);
  await sleep(sampleMs);
  const format = formatOf(words) ?? '{{json .}}';
  found.forEach((container, at) => {
    const running = groups[at]?.status !== 'exited' && (groups[at]?.group ?? 0) > 0;
    const usage = usageOfGroup(running ? (groups[at]?.group ?? 0) : -1);
    const ticks = Math.max(0, usage.cpuTicks - (before[at] ?? 0));
    const limit = container.limits.memory || hostMemoryBytes();
    print(
      write,
      render(format, {
        BlockIO: '0B / 0B',
        CPUPerc: `${(((ticks * 1000) / ticksPerSecond / sampleMs) * 100).toFixed(2)}%`,
        Container: wanted[at] ?? container.id,
        ID: container.id.slice(0, 12),
        MemPerc: `${((usage.rssBytes / limit) * 100).toFixed(2)}%`,
        MemUsage: `${binary(usage.rssBytes)} / ${binary(limit)}`,
        Name: nameOf(container),
        NetIO: '0B / 0B',
        PIDs: String(usage.processes),
      }),
    );
  });
  return 0;
}

/** Prints the containers that exist, and fails if one does not. */
function inspect(write: Write, words: readonly string[]): number {
  const names = namesIn(words);
  const there = names.filter((name) => find(write, [name]) !== null);
  for (const container of find(write, there) ?? [])
    print(write, render(formatOf(words) ?? '{{json .}}', inspected(container)));
  return there.length === names.length ? 0 : 1;
}

/** Like Docker, removes a running container only by force. */
async function remove(write: Write, words: readonly string[]): Promise<number> {
  let end = 0;
  for (const name of namesIn(words)) {
    const container = find(write, [name])?.[0];
    const runs = container && stateOf(state().paths, container.id)?.status === 'running';
    if (!container || (runs && !words.includes('--force'))) {
      if (container)
        write(2, `Error response from daemon: cannot remove container "/${name}": container is running\n`);
      end = 1;
      continue;
    }
    await removeContainer(state().paths, container.id);
    print(write, name);
  }
  return end;
}

function kill(write: Write, words: readonly string[]): number {
  const found = find(write, namesIn(words));
  if (!found) return 1;
  for (const container of found) killContainer(state().paths, container.id);
  for (const name of namesIn(words)) print(write, name);
  return 0;
}

/** USER_HZ, 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;
const sampleMs = 250;

function find(write: Write, names: readonly string[]): Container[] | null {
  const all = allContainers(state().paths);
  const found = names.map((name) =>
    all.find((one) => nameOf(one) === name || (name.length >= 12 && one.id.startsWith(name))),
  );
  const missing = names[found.indexOf(undefined)];
  if (missing !== undefined) write(2, `Error response from daemon: No such container: ${missing}\n`);
  return missing === undefined ? found.filter((one) => one !== undefined) : null;
}

function namesIn(words: readonly string[]): string[] {
  return words.filter((word, at) => !word.startsWith('-') && !takesValue.has(words[at - 1] ?? ''));
}

const takesValue = new Set(['--format', '-f', '--filter']);

function formatOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === '--format' || word === '-f');
  return at < 0 ? undefined : words[at + 1];
}

function binary(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toPrecision(4))}${units[power]}`;
}

function print(write: Write, line: string): number {
  write(1, `${line}\n`);
  return 0;
}
