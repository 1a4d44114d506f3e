import type { OnReadOpts, Socket } from 'node:net';
import type { Gate } from '@homeport/egress';
import type { Target } from '@homeport/rules';

/** Begins a connection to an origin. Throws where the gate lets nobody through. */
export type Dial = (onread: OnReadOpts) => Dialled;
/** A socket, and the event that says that bytes may be sent: over TLS not before the certificate was checked. */
export type Dialled = { socket: Socket; readyEvent: 'connect' | 'secureConnect' };

/** Connections to one origin, behind the gate: the address that was judged is the one that is dialled. */
export function createDial(
  { protocol, hostname, port }: Pick<Target, 'protocol' | 'hostname' | 'port'>,
  gate: Gate,
): Dial {
  const destination = { host: hostname, port };
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 };
  /** What the origin gave at the end of the last handshake, so that the next one is shorter. */
  let session: Buffer | undefined;
  return (onread) => {
    const dialled = { ...options, onread };
    if (protocol === 'http:') return { socket: gate.connect(destination, dialled), readyEvent: 'connect' };
    const socket = gate.connectTls(destination, { ...dialled, session, ALPNProtocols: ['http/1.1'] });
    socket.on('session', (given: Buffer) => {
      session = given;
    });
    return { socket, readyEvent: 'secureConnect' };
  };
}
