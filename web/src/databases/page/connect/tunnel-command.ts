import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { urlHost } from '@homeport/contract/fields/server-address';
import { isLoopbackAddress, loopbackAddress } from '@homeport/contract/network/loopback';
import { quoteArgv, quoteWord } from '@homeport/contract/quoting';
import type { Server } from '@homeport/contract/servers/schema';

type Target = Pick<Database, 'type' | 'longname' | 'ports'>;
type Way = Pick<Server, 'ip' | 'port' | 'username' | 'login'>;

/** The port of the person's own machine: a database of the same type there mostly has the usual port already. */
const localPortAbove = 10_000;

export interface Tunnel {
  /** What leads to the database while it runs. */
  command: string;
  /** "127.0.0.1:15432" */
  local: string;
}

/**
 * The `ssh -L` line that leads to a database without opening a port to others. An unexposed container has an address on the
 * server only, which changes with its restarts, so the line asks Docker for it first. null: the database is open to others
 * already.
 */
export function tunnelTo({ type, longname, ports }: Target, server: Way): Tunnel | null {
  const { mainPort } = databaseTypeOf(type);
  const exposed = ports.find(({ containerPort }) => containerPort === mainPort);
  const { address } = exposed ?? { address: loopbackAddress };
  if (address === null || !isLoopbackAddress(address)) return null;
  const login = [...(server.port === 22 ? [] : ['-p', `${server.port}`]), `${server.username}@${server.ip}`];
  const localPort = mainPort + localPortAbove;
  const ssh = (...words: string[]) => quoteArgv(['ssh', ...words]);
  const host = exposed
    ? `${urlHost(address)}:${exposed.hostPort}`
    : `$(${ssh(...login)} ${quoteWord(addressCommand(`dokku.${type}.${longname}`, server))}):${mainPort}`;
  return {
    command: `ssh -N -L ${localPort}:${host} ${quoteArgv(login)}`,
    local: `${loopbackAddress}:${localPort}`,
  };
}

/** Docker's `{{range}}` prints the container's address in each of its networks; a service has one. */
function addressCommand(container: string, { login }: Way): string {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  const docker = ['docker', 'inspect', '-f', format, container];
  return quoteArgv(login === 'sudo' ? ['sudo', ...docker] : docker);
}
