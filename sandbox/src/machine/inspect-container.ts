import { createHash } from 'node:crypto';
import { type Container, stateOf } from './containers.ts';
import { pathsFromEnvironment } from './paths.ts';
import { State } from './state.ts';

const state = () => new State(pathsFromEnvironment());

/** The part of `docker inspect` that somebody reads, in Docker's order of names. */
export function inspected(container: Container) {
  const now = stateOf(state().paths, container.id);
  const { memory, nanoCpus } = container.limits;
  return {
    Config: {
      Env: Object.entries(container.env).map(([key, value]) => `${key}=${value}`),
      Image: container.service?.image ?? `dokku/${container.app}:latest`,
      Labels: labelsOf(container),
    },
    Created: container.createdAt,
    HostConfig: {
      CpuPeriod: 0,
      CpuQuota: 0,
      Memory: memory,
      MemorySwap: memory * 2,
      NanoCpus: nanoCpus,
      RestartPolicy: restartPolicyOf(container.restartPolicy ?? 'on-failure:10'),
    },
    Id: container.id,
    Image: imageIdOf(container),
    Mounts: mountsOf(container),
    Name: `/${nameOf(container)}`,
    RestartCount: now?.restarts ?? 0,
    SizeRw: 0,
    State: {
      ExitCode: now?.exitCode ?? 0,
      FinishedAt: now?.finishedAt ?? '0001-01-01T00:00:00Z',
      OOMKilled: false,
      Pid: now?.group ?? 0,
      StartedAt: now?.startedAt ?? '',
      Status: now?.status ?? 'created',
    },
  };
}

/** The code of one build stands for its image. */
export const idOfCode = (folder: string) => `sha256:${createHash('sha256').update(folder).digest('hex')}`;

/** The labels of an image that a build made. */
export const builtLabels = (app: string): Record<string, string> => ({
  'com.dokku.app-name': app,
  'com.dokku.builder-type': 'herokuish',
  'com.dokku.image-stage': 'release',
  dokku: '',
});

export const imageIdOf = ({ folder, image }: Container) => image?.id ?? idOfCode(folder);

function restartPolicyOf(policy: string) {
  const [Name = '', tries = '0'] = policy.split(':');
  return { MaximumRetryCount: Number(tries), Name };
}

function mountsOf({ service }: Container) {
  if (service?.role !== 'service') return [];
  const Source = `/var/lib/dokku/services/${service.type}/${service.name}/data`;
  return [{ Type: 'bind', Source, Destination: service.dataPath, Mode: '', RW: true }];
}

export function nameOf(container: Container): string {
  const { service } = container;
  if (service)
    return `dokku.${service.type}.${service.name}${service.role === 'ambassador' ? '.ambassador' : ''}`;
  const current = state().app(container.app)?.containers[container.process];
  const name = `${container.app}.${container.process}`;
  return current === container.id || container.words
    ? name
    : `${name}.upcoming-${Number.parseInt(container.id.slice(0, 4), 16)}`;
}

export function labelsOf(container: Container): Record<string, string> {
  const { service } = container;
  if (service) return { dokku: service.role, [`dokku.${service.role}`]: service.type };
  const { 'com.dokku.image-stage': _stage, ...labels } =
    container.image?.labels ?? builtLabels(container.app);
  return {
    ...labels,
    'com.dokku.container-type': container.words ? 'run' : 'deploy',
    'com.dokku.dyno': container.process,
    'com.dokku.process-type': container.process.split('.')[0] ?? '',
  };
}
