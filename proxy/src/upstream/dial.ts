import { connect, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Target } from '@homeport/rules';
import { type Gate, isAddress, PrivateAddress } from './gate.ts';

/** Begins a connection to an origin. Throws where the gate lets nobody through. */
export type Dial = (onread: OnReadOpts) => Dialled;
/** A socket, and the event that says that bytes may be sent: over TLS not before the certificate was checked. */
export type Dialled = { socket: Socket; readyEvent: 'connect' | 'secureConnect' };

/** Connections to one origin, behind the gate: the address that was checked is the one that is dialled. */
export function createDial(
  { protocol, hostname, port }: Pick<Target, 'protocol' | 'hostname' | 'port'>,
  gate: Gate,
): Dial {
  const isLiteral = isAddress(hostname);
  const isRefused = isLiteral ? !gate.allows(hostname, port) : !gate.allowsName(hostname);
  const options = {
    host: hostname,
    port,
    lookup: gate.lookupFor(port),
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
  /** What the origin gave at the end of the last handshake, so that the next one is shorter. */
  let session: Buffer | undefined;
  return (onread) => {
    if (isRefused) throw new PrivateAddress();
    const dialled = { ...options, onread };
    if (protocol === 'http:') return { socket: connect(dialled), readyEvent: 'connect' };
    const socket = connectTls({
      ...dialled,
      ...(session && { session }),
      // An address is no server name (RFC 6066, 3); the certificate is checked against it all the same.
      ...(isLiteral ? {} : { servername: hostname }),
      ALPNProtocols: ['http/1.1'],
    });
    socket.on('session', (given: Buffer) => {
      session = given;
    });
    return { socket, readyEvent: 'secureConnect' };
  };
}
