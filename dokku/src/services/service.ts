import type { ExposedPort } from '@homeport/contract/databases/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { urlHost } from '@homeport/contract/fields/server-address';
import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import type { ServiceName } from '../names/service-name.ts';

// The six service plugins share one code base, so that a command differs between types in its first word only.

export { readDsn, readId, readInfo, readLinks, readList, type ServiceInfo } from './read-service.ts';
export { withoutSecrets } from './without-secrets.ts';

/**
 * Prints the info block with the password. Takes 10 s to a minute, and the pull of the image. A failed creation blocks the name
 * until `destroy`, except where the image could not be pulled, which leaves nothing. The plugin makes the password, because one
 * of ours would stand in the process list. Without `memoryMb` a container may use all memory, but memcached 64 MB.
 */
export function create(
  type: DatabaseTypeName,
  name: ServiceName,
  { imageVersion, memoryMb }: { imageVersion?: string; memoryMb?: number } = {},
): Command {
  return dokku(
    `${type}:create`,
    name,
    ...(imageVersion === undefined ? [] : ['--image-version', imageVersion]),
    ...(memoryMb === undefined ? [] : ['--memory', String(memoryMb)]),
  );
}

/** Ends with 0, or with 1 for a missing service (`service_missing`). */
export function exists(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:exists`, name);
}

/** Prints one name a line; `readList` reads the answer. */
export function list(type: DatabaseTypeName): Command {
  return dokku('--quiet', `${type}:list`);
}

/** The whole block, with the password. There is no JSON. */
export function info(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:info`, name);
}

/** The id of the container alone, as `readId` reads it. */
export function id(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:info`, name, '--id');
}

/** The connection string alone: a secret. */
export function dsn(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:info`, name, '--dsn');
}

/**
 * Sets a variable of the app to the connection string, and prints both. The app reads the variable after `ps.restart`. The
 * variable is the type's usual one, or `DOKKU_<TYPE>_<COLOUR>_URL` where the app has a variable whose name contains the usual
 * one. Not safe to repeat, but the failure `already_linked` means that nothing is left to do.
 */
export function link(type: DatabaseTypeName, name: ServiceName, app: AppName): Command {
  return dokku(`${type}:link`, name, app, '--no-restart');
}

/**
 * Unsets every variable of the app that holds the connection string. The plugin takes the link away before it fails with
 * `not_linked`, which also means that somebody removed the variable by hand.
 */
export function unlink(type: DatabaseTypeName, name: ServiceName, app: AppName): Command {
  return dokku(`${type}:unlink`, name, app, '--no-restart');
}

/** The apps that the service is linked to, one a line. */
export function links(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:links`, name);
}

/**
 * Makes the service the one that the type's usual variable names; what the variable named before moves to a colour. There is no
 * form without a restart: a deployed app restarts at once, and a failed restart still ends with 0.
 */
export function promote(type: DatabaseTypeName, name: ServiceName, app: AppName): Command {
  return dokku(`${type}:promote`, name, app);
}

/** Where the server answers, as `expose` takes it: `20432`, `127.0.0.1:20432` or `[fd00::5]:20432`. */
export const exposeWord = ({ address, hostPort }: Pick<ExposedPort, 'address' | 'hostPort'>): string =>
  address === null ? String(hostPort) : `${urlHost(address)}:${hostPort}`;

/**
 * One port of the server for each port of the container, in the type's order: `20432` for all addresses, or `127.0.0.1:20432`.
 * Starts a stopped service. A service whose port is taken (`port_taken`) counts as exposed, so `unexpose` has to follow.
 */
export function expose(type: DatabaseTypeName, name: ServiceName, ports: readonly string[]): Command {
  return dokku(`${type}:expose`, name, ...ports);
}

/** Repeatable. Takes 10 s where Docker waits for the container that leads the port to the service. */
export function unexpose(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:unexpose`, name);
}

/** Repeatable. Makes the container anew where it is missing, and then prints the info block with the password. */
export function start(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:start`, name);
}

/** Repeatable. Stops the container and keeps it. The plugin's own `stop` removes the container, and is not used. */
export function pause(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:pause`, name);
}

/** Prints the info block with the password where the container was missing. */
export function restart(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:restart`, name);
}

/**
 * Deletes the service and its data. Fails while an app is linked to it. `unexpose` has to come first, because the container that
 * leads the ports would stay behind. The plugins read `--force` only after the name.
 */
export function destroy(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku(`${type}:destroy`, name, '--force');
}

/**
 * The log of the container. `--num` is no flag of the plugins, which take any word before the number of lines and know only
 * `--tail`, for following. A followed log needs a terminal, as in `logs.read`. Fails where the container is missing.
 */
export function logs(
  type: DatabaseTypeName,
  name: ServiceName,
  { lines, follow }: { lines: number; follow: boolean },
): Command {
  return dokku(`${type}:logs`, name, follow ? '--tail' : '--num', String(lines));
}
