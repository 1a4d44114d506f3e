import type { Paths } from '../machine/paths.ts';
import { allServiceKinds } from './kinds.ts';
import { serviceNames, serviceOf } from './service.ts';
import { statusOf } from './service-containers.ts';

/**
 * The commands of Dokku that start what Docker starts when a machine boots: the containers of services that ran when the
 * machine went down. One that somebody stopped stays so, and so does one without a container.
 */
export const servicesAtBoot = (paths: Paths): (readonly [command: string, name: string])[] =>
  allServiceKinds.flatMap((kind) =>
    serviceNames(paths, kind).flatMap((name) => {
      const service = serviceOf(paths, kind, name);
      return service && !service.isPaused && statusOf(paths, service) === 'exited'
        ? [[`${kind.type}:start`, name] as const]
        : [];
    }),
  );
