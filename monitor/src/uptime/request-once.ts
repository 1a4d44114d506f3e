import http, { type IncomingMessage } from 'node:http';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import { type UptimePhase, uptimeRules } from '@homeport/contract/uptime/facts';
import type { UptimeCertificate } from '@homeport/contract/uptime/schema';
import { type Gate, hostOf, portOf } from './allowed-addresses.ts';
import { judgeCertificate, withoutConversion } from './certificate.ts';
import type { Address, Resolver } from './resolver.ts';

export type Phases = Record<UptimePhase, number | null>;

export type Reach = {
  gate: Gate;
  resolver: Resolver;
  /** The authorities that are trusted. One for all requests: reading them in costs more than many checks. */
  trusted: SecureContext;
  /** Of one attempt with all its redirects. */
  deadlineMs: number;
};

/** What one request without redirects brought; `failed` holds the error that it ended with. */
export type Hop = {
  phases: Phases;
  answer: { status: number; location: string | null; bytes: number | null; truncated: boolean } | null;
  certificate: UptimeCertificate | null;
  /** The address connected to, or the first that was tried. */
  address: string | null;
  failed: { error: unknown; at: Stage } | null;
};

/** What a request was waiting for. */
export type Stage = 'name' | 'connect' | 'headers' | 'body';

/** The gate's refusal of an address that a name stands for. */
export class RefusedAddress extends Error {}
/** The certificate is refused; the hop has it. */
export class RefusedCertificate extends Error {}
/** The deadline of the attempt has come. */
export class Overdue extends Error {
  /** It came so late that this process was too busy to tell. */
  readonly late: boolean;

  constructor(late: boolean) {
    super();
    this.late = late;
  }
}

/** Set while a request runs: ends it with this error. */
export type Ending = { end?: (error: Error) => void };

/**
 * Asks for a URL that has passed the gate, once: on a connection of its own, to addresses that have passed the gate as
 * well and are resolved only here, so that a name cannot mean another address when it is connected to. Never rejects.
 *
 * @param now the time that a certificate is judged at
 */
export function requestOnce(url: URL, reach: Reach, ending: Ending, now: number): Promise<Hop> {
  const host = hostOf(url);
  const isLiteral = isIP(host) !== 0;
  const hop: Hop = {
    phases: noPhases(),
    answer: null,
    certificate: null,
    address: isLiteral ? host : null,
    failed: null,
  };
  let isChoice = false;
  let stage: Stage = isLiteral ? 'connect' : 'name';
  const begun = performance.now();
  let last = begun;
  const passed = (phase: UptimePhase) => {
    const time = performance.now();
    hop.phases[phase] = tenths(time - last);
    last = time;
  };

  return new Promise((resolve) => {
    const socket = open(url, host, reach, (addresses) => {
      passed('dnsLookup');
      stage = 'connect';
      hop.address = addresses[0]?.address ?? null;
      isChoice = addresses.length > 1;
    });
    const request = http.request({
      createConnection: () => socket,
      path: `${url.pathname}${url.search}`,
      headers: [
        ...['Host', url.host, 'User-Agent', 'Homeport', 'Accept', '*/*'],
        ...['Accept-Encoding', 'identity', 'Connection', 'close'],
      ],
    });
    const settle = (error?: unknown) => {
      if (ending.end !== settle) return;
      delete ending.end;
      if (error !== undefined) hop.failed = { error, at: stage };
      hop.phases.total = tenths(performance.now() - begun);
      request.destroy();
      resolve(hop);
    };
    ending.end = settle;
    socket.once('connect', () => {
      passed('tcpConnection');
      if (isChoice) hop.address = socket.remoteAddress ?? hop.address;
      if (url.protocol === 'http:') stage = 'headers';
    });
    socket.once('secureConnect', () => {
      passed('tlsHandshake');
      stage = 'headers';
      hop.certificate = judgeCertificate(socket as TLSSocket, host, now);
      if (hop.certificate?.refusedFor) settle(new RefusedCertificate());
    });
    request.once('response', (response) => {
      passed('firstByte');
      stage = 'body';
      const { statusCode: status = 0 } = response;
      const location = redirects.has(status) ? (response.headers.location ?? null) : null;
      hop.answer = { status, location, bytes: null, truncated: false };
      if (location !== null) settle();
      else
        readBody(response, hop.answer, (error) => {
          if (error === undefined) passed('contentTransfer');
          settle(error);
        });
    });
    request.on('error', settle);
    request.once('close', () => settle(new Error('The connection was closed.')));
    request.end();
  });
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A connection of its own each time, or there would be no phases to measure; nor is a TLS session taken up again. */
function open(url: URL, host: string, reach: Reach, resolved: (addresses: Address[]) => void): Socket {
  const port = portOf(url);
  const lookup: LookupFunction = (_name, _options, done) => {
    vetted(reach, host, port).then(
      (addresses) => {
        resolved(addresses);
        done(null, addresses);
      },
      (error: Error) => done(error, []),
    );
  };
  const target = { host, port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 };
  if (url.protocol === 'http:') return connect(target);
  return withoutConversion(
    connectTls({
      ...target,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: reach.trusted,
      // Judged by `judgeCertificate`, so that a refused certificate can be told of.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    }),
  );
}

/** All addresses of a name, or the refusal of one of them. */
async function vetted({ gate, resolver }: Reach, host: string, port: number): Promise<Address[]> {
  const addresses = await resolver.resolve(host);
  for (const { address } of addresses) {
    const refusal = gate.refusesAddress(address, port);
    if (refusal !== null) throw new RefusedAddress(refusal);
  }
  return addresses;
}

/** Reads as much of the body as is read of one; what it holds is counted and forgotten. */
function readBody(
  response: IncomingMessage,
  answer: NonNullable<Hop['answer']>,
  settle: (error?: unknown) => void,
): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    answer.truncated = bytes > uptimeRules.bodyBytes;
    answer.bytes = Math.min(bytes, uptimeRules.bodyBytes);
    if (answer.truncated) settle();
  });
  // Before Node's own, which would take leave of the other end in vain.
  response.prependOnceListener('end', () => {
    answer.bytes ??= 0;
    settle();
  });
  response.on('error', settle);
}

export function noPhases(): Phases {
  return {
    dnsLookup: null,
    tcpConnection: null,
    tlsHandshake: null,
    firstByte: null,
    contentTransfer: null,
    total: null,
  };
}

/** Finer would be the noise of this process. */
const tenths = (ms: number) => Math.round(ms * 10) / 10;
