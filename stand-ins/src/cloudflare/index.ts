import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Asked, answer, type State } from './answer.ts';
import { addRecord } from './records.ts';
import { Refused } from './refused.ts';
import { type Grant, newZone, type StandInRecord, type StandInZone } from './zones.ts';

export type { Grant, StandInRecord, StandInZone } from './zones.ts';

/** A request and its answer, as they went over the wire. */
export type Exchange = Asked & { status: number; answer: unknown };

/** Answers in place of the stand-in, for tests of hostile and broken answers. */
export type Spoil = (asked: Asked, response: ServerResponse) => boolean;

export type CloudflareStandIn = {
  /** The base address, with `/client/v4`. */
  url: string;
  addZone(name: string, facts?: Partial<Omit<StandInZone, 'records' | 'name'>>): StandInZone;
  addRecord(zone: StandInZone, record: Partial<StandInRecord>): StandInRecord;
  /** Lets a credential in. */
  grant(grant: Grant): void;
  revoke(secret: string): void;
  /** Refuses the next requests with 429, and says after how many seconds it goes on. */
  refuseNext(requests: number, retryAfterSeconds: number): void;
  /** Null: answers as it should. */
  spoil(spoil: Spoil | null): void;
  close(): Promise<void>;
};

const mostBytes = 1024 * 1024;

/**
 * A stand-in for Cloudflare's API v4 on a loopback port: what Homeport asks for, answered by the rules of the service. It keeps
 * everything in memory. `onExchange` sees each request with its answer.
 */
export async function startCloudflareStandIn({
  port = 0,
  onExchange,
}: {
  port?: number;
  onExchange?: (exchange: Exchange) => void;
} = {}): Promise<CloudflareStandIn> {
  const state: State = { zones: new Map(), grants: [] };
  const refusing = { requests: 0, seconds: 0 };
  let spoiling: Spoil | null = null;
  const server = createServer((request, response) => {
    readAsked(request).then(
      (asked) => {
        if (spoiling?.(asked, response)) return;
        const told = refusing.requests > 0 ? refuseByRate(refusing) : respond(state, asked);
        onExchange?.({ ...asked, status: told.status, answer: told.body });
        response.writeHead(told.status, { 'content-type': 'application/json', ...told.headers });
        response.end(JSON.stringify(told.body));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}/client/v4`,
    addZone(name, facts) {
      const zone = newZone(name, facts);
      state.zones.set(zone.id, zone);
      return zone;
    },
    addRecord: (zone, record) => addRecord(zone, { ...record }),
    grant: (grant) => void state.grants.push(grant),
    revoke(secret) {
      state.grants = state.grants.filter((each) => each.secret !== secret);
    },
    refuseNext(requests, retryAfterSeconds) {
      refusing.requests = requests;
      refusing.seconds = retryAfterSeconds;
    },
    spoil(spoil) {
      spoiling = spoil;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Told = { status: number; body: object; headers?: Record<string, string> };

function respond(state: State, asked: Asked): Told {
  try {
    const good = answer(state, asked);
    return { status: 200, body: { success: true, errors: [], messages: [], ...good } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusal(error.status, { code: error.code, message: error.message }, error.chain);
  }
}

function refuseByRate(refusing: { requests: number; seconds: number }): Told {
  refusing.requests -= 1;
  const message = 'More than 1200 requests per 300 seconds reached';
  return { ...refusal(429, { code: 971, message }), headers: { 'retry-after': String(refusing.seconds) } };
}

function refusal(
  status: number,
  error: { code: number; message: string },
  chain: { code: number; message: string }[] = [],
): Told {
  const errors = [{ ...error, ...(chain.length > 0 && { error_chain: chain }) }];
  return { status, body: { success: false, errors, messages: [], result: null } };
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const piece: Buffer = part;
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error('The request is too long.');
    parts.push(piece);
  }
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const text = Buffer.concat(parts).toString('utf8');
  const header = (name: string) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    method: request.method ?? '',
    path: url.pathname.replace('/client/v4', ''),
    query: url.searchParams,
    headers: {
      authorization: header('authorization'),
      'x-auth-key': header('x-auth-key'),
      'x-auth-email': header('x-auth-email'),
    },
    body: text === '' ? undefined : JSON.parse(text),
  };
}
