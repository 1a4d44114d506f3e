import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { createJudge, type Judge, type Rules } from './judge.ts';
import { type Refusal, RefusedDestination } from './refusal.ts';

/** The one way out to an address that somebody with an account chose. */
export type Gate = {
  /** Why nobody may connect to this address and port. Null when everybody may. */
  refuses: Judge;
  /**
   * The addresses that `connect` would try now, in their order. Rejects with `RefusedDestination` where `connect` would fail with one,
   * and with the resolver's error for a name without an address. What is connected to later is resolved and judged again.
   * `signal` ends the look-up where the resolver can.
   */
  addressesOf(host: string, port: number, signal?: AbortSignal): Promise<readonly LookupAddress[]>;
  /**
   * Connects to an address or a name. A name is resolved here and once, every address is judged, and the socket gets the judged
   * addresses: the resolver's next answer changes nothing. Throws `RefusedDestination` for a refused address or name, and the
   * socket fails with one where the name leads to refused addresses.
   */
  connect(destination: Destination, options?: SocketOptions): Socket;
  /** The same over TLS. The server's name is the destination's. */
  connectTls(destination: Destination, options?: TlsOptions): TLSSocket;
};

export type Destination = {
  /** A name, or an address with or without brackets. */
  host: string;
  port: number;
  /** Called with the addresses that are tried, in their order. Not called for an address. */
  resolved?: ((addresses: readonly LookupAddress[]) => void) | undefined;
};

type Ours = 'host' | 'port' | 'path' | 'lookup' | 'socket' | 'servername' | 'session';
type SocketOptions = Omit<TcpNetConnectOpts, Ours>;
type TlsOptions = Omit<ConnectionOptions, Ours> & { session?: Buffer | undefined };

/** Resolves a name to all of its addresses, as `dns.lookup` does. A resolver that can end a look-up ends it with `signal`. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions & { signal?: AbortSignal },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type GateSettings = Rules & {
  /**
   * What to do with a name that leads to allowed and to refused addresses. `drop` tries the allowed ones. `refuse` tries none: a
   * check that reports on "the website" must not pass over half of it in silence.
   */
  mixedName: 'drop' | 'refuse';
};

export function createGate(
  settings: GateSettings,
  resolve: ResolveAll = systemLookup,
  isOwn?: (address: string) => boolean,
): Gate {
  const refuses = createJudge(settings, isOwn);
  // A console that is opened by an address has no name. The judge decides about the ports of that address.
  const names = new Set(
    settings.console.names.filter((name) => isIP(bareHost(name)) === 0).map((name) => name.toLowerCase()),
  );

  /** The host as a resolver or a socket takes it, if it may be tried. */
  function admit(host: string, port: number): string {
    const bare = bareHost(host);
    const isOwnName = names.has(bare.toLowerCase());
    const refusal: Refusal | null = isOwnName
      ? { kind: 'own_name', text: bare, port }
      : isIP(bare) === 0
        ? null
        : refuses(bare, port);
    if (refusal !== null) throw new RefusedDestination(refusal);
    return bare;
  }

  /** The addresses of a name that may be tried, or why none may. */
  function judge(hostname: string, port: number, found: readonly LookupAddress[]): LookupAddress[] | Error {
    const judged = found.map((each) => ({ each, refusal: refuses(each.address, port) }));
    const allowed = judged.flatMap(({ each, refusal }) => (refusal === null ? [each] : []));
    const refusal = judged.find((one) => one.refusal !== null)?.refusal;
    if (refusal && (settings.mixedName === 'refuse' || allowed.length === 0))
      return new RefusedDestination(refusal);
    return allowed.length === 0 ? noAddress(hostname) : allowed;
  }

  /** Hands on only judged addresses, so that the address that was judged is the one that is dialled. */
  const lookupFor =
    ({ port, resolved }: Destination): LookupFunction =>
    (hostname, options, done) => {
      resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, []);
        const allowed = judge(hostname, port, addresses);
        if (allowed instanceof Error) return done(allowed, []);
        resolved?.(allowed);
        const [first] = allowed;
        if (options.all || first === undefined) done(null, allowed);
        else done(null, first.address, first.family);
      });
    };

  return {
    refuses,
    async addressesOf(host, port, signal) {
      const bare = admit(host, port);
      const family = isIP(bare);
      if (family !== 0) return [{ address: bare, family }];
      return new Promise((settle, reject) => {
        resolve(bare, { all: true, ...(signal && { signal }) }, (error, addresses) => {
          const allowed = error ?? judge(bare, port, addresses);
          if (allowed instanceof Error) reject(allowed);
          else settle(allowed);
        });
      });
    },
    connect(destination, options = {}) {
      const host = admit(destination.host, destination.port);
      return connect({
        ...{ autoSelectFamily: true, ...options },
        ...{ host, port: destination.port, lookup: lookupFor(destination) },
      });
    },
    connectTls(destination, options = {}) {
      const host = admit(destination.host, destination.port);
      const { session, ...others } = options;
      return connectTls({
        ...{ autoSelectFamily: true, ...others },
        ...(session && { session }),
        // An address is no server name (RFC 6066, 3); the certificate is checked against it all the same.
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...{ host, port: destination.port, lookup: lookupFor(destination) },
      });
    },
  };
}

/** Without brackets and without the root's dot, so that `[::1]` and `127.0.0.1.` are judged as the addresses that they are. */
function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

const noAddress = (hostname: string) =>
  Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
