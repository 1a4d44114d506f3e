import { type Command, hostCommand, type Outcome } from '../command.ts';
import { linesOf } from '../output.ts';

/**
 * Lists the sockets that listen on TCP (proc(5), /proc/net/tcp; state 0A). Every account may ask, and no program has to be
 * installed. A machine without IPv6 has one file only.
 */
export function listening(): Command {
  const listens = '^ *[0-9]+: [0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4} 0A ';
  return hostCommand(['grep', '-hsE', listens, '/proc/net/tcp', '/proc/net/tcp6'], { needsRoot: false });
}

/** grep(1) ends with 1 where nothing listens, and with 2 where a file is missing. */
export const isAnswer = ({ exitCode }: Outcome): boolean =>
  exitCode === 0 || exitCode === 1 || exitCode === 2;

/** The ports of `listening`, each once. */
export function readListening({ stdout }: Outcome): number[] {
  const ports = linesOf(stdout).flatMap((line) => {
    const [, local = ''] = line.trim().split(' ');
    const port = Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16);
    return Number.isNaN(port) ? [] : [port];
  });
  return [...new Set(ports)];
}

/** The addresses of the machine’s interfaces. Every account may ask. */
export function addresses(): Command {
  return hostCommand(['ip', '-o', 'addr', 'show', 'scope', 'global'], { needsRoot: false });
}

/**
 * The addresses of `addresses`, without those of networks between containers or virtual machines, and without IPv6 addresses that go
 * again by themselves or were never taken (ip-address(8)).
 */
export function readAddresses({ stdout }: Outcome): string[] {
  return linesOf(stdout).flatMap((line) => {
    const [, device = '', family = '', address = '', ...more] = line.split(' ').filter((word) => word !== '');
    const [ip = ''] = address.split('/');
    if (ip === '' || within.some((name) => device.startsWith(name))) return [];
    const lasts = family === 'inet' || (family === 'inet6' && !passing.some((flag) => more.includes(flag)));
    return lasts ? [ip] : [];
  });
}

const passing = ['temporary', 'deprecated', 'tentative', 'dadfailed'];

const within = ['docker', 'br-', 'veth', 'cni', 'flannel', 'virbr', 'lxc', 'lxd'];

/**
 * Tries whether a database answers at an address of the machine: a connection opens and stays open, or brings a first byte. Where
 * nothing is behind a port of Docker’s, the connection closes at once. Waits up to 10 s for a service that just started.
 * Dokku needs bash itself, so every host of Dokku’s has bash.
 */
export function answers(address: string, port: number): Command {
  return hostCommand(['bash', '-c', tryToTalk, 'homeport', address, String(port)], { needsRoot: false });
}

const tryToTalk = `for try in 1 2 3 4 5 6 7 8 9 10; do
  if { exec 3<>"/dev/tcp/$1/$2"; } 2>/dev/null; then
    IFS= read -r -t 1 -n 1 -u 3 byte
    read=$?
    exec 3>&-
    [ "$read" -ne 0 ] && [ "$read" -le 128 ] || exit 0
  fi
  sleep 0.5
done
exit 1
`;
