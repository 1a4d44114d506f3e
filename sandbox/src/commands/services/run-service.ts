import { type Call, Exit } from '../../machine/call.ts';
import { removeContainer, supervise } from '../../machine/containers.ts';
import { changeService, type Service } from '../../services/service.ts';
import {
  containerOfService,
  createContainer,
  reconcilePorts,
  statusOf,
  stopContainers,
} from '../../services/service-containers.ts';
import { finish } from './create.ts';
import { requireService, type ServiceVerb } from './words.ts';

export const start: ServiceVerb = async (call, kind) => {
  await startService(call, requireService(call, kind, call.typed[0]));
};

/** `silently`: a service that runs already is no matter to speak of. */
export async function startService(call: Call, service: Service, silently = false): Promise<Service> {
  const { paths } = call.state;
  const status = statusOf(paths, service);
  if (status === 'running') {
    if (!silently) call.warn('Service is already started');
    return service;
  }
  call.title('Starting container');
  changeService(paths, service, { isPaused: false });
  if (status === 'exited') {
    await supervise(paths, service.containerId);
    await reconcilePorts(call, service);
    call.out('=====> Container started');
    return service;
  }
  if (status !== 'missing') {
    // The plugin looks for running and for ended containers only, and then makes a second one.
    call.err(
      `Error response from daemon: Conflict. The container name "/dokku.${service.kind.type}.${service.name}" is already in use by container "${service.containerId}". You have to remove (or rename) that container to be able to reuse that name.`,
    );
    throw new Exit(1);
  }
  const created = await createContainer(call, service);
  await finish(call, created, true);
  return created;
}

export const pause: ServiceVerb = async (call, kind) => {
  await pauseService(call, requireService(call, kind, call.typed[0]));
};

async function pauseService(call: Call, service: Service): Promise<void> {
  if (!containerOfService(call.state.paths, service, 'service'))
    return call.warn('Service is already paused');
  call.title('Pausing container');
  changeService(call.state.paths, service, { isPaused: true });
  await stopContainers(call, service);
  call.detail('Container paused');
}

/** Removes the container too. */
export const stop: ServiceVerb = async (call, kind) => {
  await removeService(call, requireService(call, kind, call.typed[0]));
};

export async function removeService(call: Call, service: Service): Promise<void> {
  await pauseService(call, service);
  const container = containerOfService(call.state.paths, service, 'service');
  if (!container) return;
  call.detail('Removing container');
  await removeContainer(call.state.paths, container.id);
}

export const restart: ServiceVerb = async (call, kind) => {
  const service = requireService(call, kind, call.typed[0]);
  await pauseService(call, service);
  await startService(call, service);
  call.say('Please call dokku ps:restart on all linked apps');
};
