import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Call } from '../../machine/call.ts';
import { engineOf, realVersionOf } from '../../services/engines/engine-of.ts';
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
  const real = call.state.settings().realDatabases ? realVersionOf(call.state.paths, kind) : null;
  const asked = flags.get('--image-version');
  if (real !== null && asked !== undefined && asked !== real && asked !== unknownVersion)
    call.warn(`This sandbox has ${kind.title} ${real} alone, which runs in place of ${asked}`);
  const service: Service = {
    kind,
    name,
    password: flags.get('--password') ?? randomBytes(kind.passwordBytes).toString('hex'),
    links: [],
    ports: [],
    imageVersion: (asked === unknownVersion ? asked : (real ?? asked)) ?? kind.imageVersion,
    memoryMb: flags.has('--memory') ? Number(flags.get('--memory')) : kind.usualMemoryMb,
    containerId: '',
    isPaused: false,
    isReal: real !== null,
  };
  await pull(call, service);
  if (flags.has('--password'))
    call.warn('Specified password may not be as secure as the auto-generated password');
  saveNewService(call.state.paths, service);
  const server = engineOf(call.state.paths, service);
  server?.engine.create(server.place);
  await finish(call, await createContainer(call, service));
};

/** The registries that the sandbox knows have every version but this one, which the recorder asked for in vain. */
const unknownVersion = '0.0.1';

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

async function pull(call: Call, service: Service): Promise<void> {
  const fails = service.imageVersion === unknownVersion || existsSync(call.state.paths.fault('pull'));
  if (!fails) return;
  call.err(
    'Error response from daemon: Get "https://registry.example/v2/": dial tcp: lookup registry.example on 192.0.2.53:53: no such host',
  );
  call.fail(`${service.kind.title} image ${imageOf(service)} pull failed`);
}
