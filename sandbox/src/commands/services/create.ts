import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Call } from '../../machine/call.ts';
import { canBeReal, engineOf } from '../../services/engines/engine-of.ts';
import { imageOf, type Service, saveNewService, serviceOf } from '../../services/service.ts';
import { createContainer } from '../../services/service-containers.ts';
import { tellInfo } from './info.ts';
import { flagsIn, type ServiceVerb } from './words.ts';

export const create: ServiceVerb = async (call, kind) => {
  const [name = '', ...words] = call.typed;
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    call.fail('Please specify a valid name for the service. Valid characters are: [A-Za-z0-9_]+');
  if (serviceOf(call.state.paths, kind, name)) call.fail(`${kind.title} service ${name} already exists`);
  const flags = flagsIn(words);
  const service: Service = {
    kind,
    name,
    password: flags.get('--password') ?? randomBytes(kind.passwordBytes).toString('hex'),
    links: [],
    ports: [],
    imageVersion: flags.get('--image-version') ?? kind.imageVersion,
    memoryMb: flags.has('--memory') ? Number(flags.get('--memory')) : kind.usualMemoryMb,
    containerId: '',
    isPaused: false,
    isReal: call.state.settings().realDatabases && canBeReal(call.state.paths, kind),
  };
  await pull(call, service);
  if (flags.has('--password'))
    call.warn('Specified password may not be as secure as the auto-generated password');
  saveNewService(call.state.paths, service);
  const real = engineOf(call.state.paths, service);
  real?.engine.create(real.place);
  await finish(call, await createContainer(call, service));
};

/** The rest of a creation, which `start` shares where the container is gone. `again`: the database is there already. */
export async function finish(call: Call, service: Service, again = false): Promise<void> {
  const { kind, name } = service;
  for (const step of kind.steps) {
    call.detail(step);
    if (again && step === 'Creating container database') call.detail('Already exists');
  }
  call.out(`=====> ${kind.title} container created: ${name}`);
  tellInfo(call, service);
}

/** The registries that the sandbox knows have every version but 0.0.1, which the recorder asked for in vain. */
async function pull(call: Call, service: Service): Promise<void> {
  const fails = service.imageVersion === '0.0.1' || existsSync(call.state.paths.fault('pull'));
  if (!fails) return;
  call.err(
    'Error response from daemon: Get "https://registry.example/v2/": dial tcp: lookup registry.example on 192.0.2.53:53: no such host',
  );
  call.fail(`${service.kind.title} image ${imageOf(service)} pull failed`);
}
