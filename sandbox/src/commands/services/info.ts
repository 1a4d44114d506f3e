import type { Call } from '../../machine/call.ts';
import { engineOf } from '../../services/engines/engine-of.ts';
import { dsnOf, exposedPortsOf, folderOf, imageOf, type Service } from '../../services/service.ts';
import { statusOf } from '../../services/service-containers.ts';
import { requireService, type ServiceVerb } from './words.ts';

export const info: ServiceVerb = (call, kind) => {
  const [name, flag] = call.typed;
  const service = requireService(call, kind, name);
  if (flag === undefined) return tellInfo(call, service);
  const values = valuesOf(call, service);
  const [, value] =
    values.find(([key]) => key === flag) ??
    call.fail(`Invalid flag passed, valid flags: ${values.map(([key]) => key).join(' ')}`);
  call.out(value);
};

/** The block, which `create` and a `start` of a removed container print too. */
export function tellInfo(call: Call, service: Service): void {
  call.title(`${service.name} ${service.kind.type} service information`);
  for (const [flag, value] of valuesOf(call, service)) {
    const words = flag.slice(2).replaceAll('-', ' ');
    const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}:`;
    call.out(`       ${label.padEnd(20)} ${value.padEnd(25)}`);
  }
}

/** By flag, in the plugin's order. */
function valuesOf(call: Call, service: Service): [flag: string, value: string][] {
  const { paths } = call.state;
  const status = statusOf(paths, service);
  const root = `/var/lib/dokku/services/${folderOf(paths, service.kind, service.name).slice(paths.services.length + 1)}`;
  return [
    ['--config-dir', `${root}/${service.kind.configFolder}`],
    ['--config-options', ''],
    ['--data-dir', `${root}/data`],
    ['--dsn', dsnOf(service)],
    ['--exposed-ports', exposedPortsOf(service)],
    ['--id', service.containerId],
    // Containers of the sandbox are processes of this machine.
    ['--internal-ip', status === 'running' ? (engineOf(paths, service)?.place.address ?? '127.0.0.1') : ''],
    ['--initial-network', ''],
    ['--links', service.links.length === 0 ? '-' : service.links.map((app) => `${app} `).join('')],
    ['--post-create-network', ''],
    ['--post-start-network', ''],
    ['--service-root', root],
    ['--status', status],
    ['--version', status === 'missing' ? '' : imageOf(service)],
  ];
}
