import type { Paths } from '../machine/paths.ts';
import { engineOf } from './engines/engine-of.ts';
import { allServiceKinds } from './kinds.ts';
import { serviceNames, serviceOf } from './service.ts';

/** The host of a connection string: `@dokku-postgres-main-db:`. */
const host = /(?<=[@/])dokku-([a-z]{1,20})-([A-Za-z0-9-]{1,128})(?=[:/]|$)/g;

/**
 * The variables with the address of each real service in the place of its name. A container finds the name in its own /etc/hosts; a
 * process of the sandbox has none.
 */
export function withAddresses(paths: Paths, variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([key, value]) => [
      key,
      value.replaceAll(host, (name, type, alias) => addressOf(paths, type, alias) ?? name),
    ]),
  );
}

/** The host of a service has hyphens where its name has dots and underscores. */
function addressOf(paths: Paths, type: string, alias: string): string | undefined {
  const kind = allServiceKinds.find((each) => each.type === type);
  if (!kind) return undefined;
  const name = serviceNames(paths, kind).find((each) => each.replaceAll(/[._]/g, '-') === alias);
  const service = name === undefined ? undefined : serviceOf(paths, kind, name);
  return service && engineOf(paths, service)?.place.address;
}
