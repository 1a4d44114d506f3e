import { portsOfKind } from '../../services/kinds.ts';
import { changeService, exposedPortsOf } from '../../services/service.ts';
import { reconcilePorts } from '../../services/service-containers.ts';
import { startService } from './run-service.ts';
import { requireService, type ServiceVerb } from './words.ts';

/** Writes the ports first, so that a service whose port is taken counts as exposed. */
export const expose: ServiceVerb = async (call, kind) => {
  const [name, ...given] = call.typed;
  const service = requireService(call, kind, name);
  const wanted = portsOfKind(kind);
  const ports = given.length > 0 ? given : wanted.map(() => String(Math.floor(Math.random() * 32_768)));
  if (ports.length !== wanted.length)
    call.fail(
      `${wanted.length} ports to be exposed need to be provided in the following order: ${wanted.join(' ')}`,
    );
  if (service.ports.length > 0)
    call.fail(`Service ${name} already exposed on port(s) ${service.ports.join(' ')}`);
  const exposed = { ...service, ports };
  changeService(call.state.paths, exposed, { ports });
  await reconcilePorts(call, await startService(call, exposed, true));
  call.say(`Service ${name} exposed on port(s) [container->host]: ${exposedPortsOf(exposed)}`);
};

export const unexpose: ServiceVerb = async (call, kind) => {
  const service = requireService(call, kind, call.typed[0]);
  changeService(call.state.paths, service, { ports: [] });
  await reconcilePorts(call, { ...service, ports: [] });
  call.say(`Service ${service.name} unexposed`);
};
