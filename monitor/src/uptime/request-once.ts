import http, { type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { SecureContext, TLSSocket } from 'node:tls';
import { type UptimePhase, uptimeRules } from '@homeport/contract/uptime/facts';
import type { UptimeCertificate } from '@homeport/contract/uptime/schema';
import type { Gate } from '@homeport/egress';
import { judgeCertificate, withoutConversion } from './certificate.ts';
import { hostOf, portOf } from './refuse-url.ts';

export type Phases = Record<UptimePhase, number | null>;

export type Reach = {
  gate: Gate;
  /** The trusted authorities, one context for all requests: loading them costs more than many checks. */
  trusted: SecureContext;
  /** The deadline of one attempt with all its redirects. */
  deadlineMs: number;
};

/** The result of one request without redirects. `failed` holds the error that ended the request. */
export type Hop = {
  phases: Phases;
  answer: { status: number; location: string | null; bytes: number | null; truncated: boolean } | null;
  certificate: UptimeCertificate | null;
  /** The address that was connected to, or the first that was tried. */
  address: string | null;
  failed: { error: unknown; at: Stage } | null;
};

/** The part of the answer that a request waited for. */
export type Stage = 'name' | 'connect' | 'headers' | 'body';

/** The certificate is refused. The hop holds the certificate. */
export class RefusedCertificate extends Error {}
/** The attempt's deadline has passed. */
export class Overdue extends Error {
  /** The deadline's timer fired so late that this process was too busy to judge. */
  readonly late: boolean;

  constructor(late: boolean) {
    super();
    this.late = late;
  }
}

/** Set while a request runs: ends it with this error. */
export type Ending = { end?: (error: Error) => void };

/**
 * Requests an allowed URL once, on a new connection behind the gate: the name is resolved once, and a name cannot change its
 * address in between. Never rejects.
 *
 * @param now the time at which a certificate is judged
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
    let socket: Socket;
    try {
      socket = open(url, reach, (addresses) => {
        passed('dnsLookup');
        stage = 'connect';
        hop.address = addresses[0]?.address ?? null;
        isChoice = addresses.length > 1;
      });
    } catch (error) {
      // The address became one of this machine since the URL was judged.
      hop.failed = { error, at: stage };
      return resolve(hop);
    }
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

/** Opens a new connection each time and resumes no TLS session, because otherwise there would be no phases to measure. */
function open(
  url: URL,
  { gate, trusted }: Reach,
  resolved: (addresses: readonly { address: string }[]) => void,
): Socket {
  const destination = { host: hostOf(url), port: portOf(url), resolved };
  const options = { autoSelectFamilyAttemptTimeout: 2_000 };
  if (url.protocol === 'http:') return gate.connect(destination, options);
  return withoutConversion(
    gate.connectTls(destination, {
      ...options,
      secureContext: trusted,
      // `judgeCertificate` judges the certificate, so that a refused one can be reported.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    }),
  );
}

/** Reads the body up to the limit. Counts its bytes and keeps none. */
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
  // Runs before Node's own listener, to skip the TLS close handshake: the peer may never answer.
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

/** Smaller differences are noise of this process. */
const tenths = (ms: number) => Math.round(ms * 10) / 10;
