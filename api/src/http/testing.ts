import { randomBytes } from 'node:crypto';
import { ceilings } from '@homeport/contract/limits';
import { freePort } from '@homeport/contract/testing';
import type { Store } from '@homeport/store';
import { testDatabase } from '@homeport/store/testing';
import { type FastifyInstance, fastify } from 'fastify';
import { type Api, type ApiConfiguration, type ApiDeps, createApi } from '../index.ts';
import { backupsInMemory } from '../testing/backups-in-memory.ts';
import { buildRuleWorker } from '../testing/rule-worker.ts';
import type { Pace } from './admission.ts';
import { createLog, serverOptions } from './log.ts';

export type Answer = { status: number; headers: Headers; body: unknown };

/** A browser with one cookie jar, signed in or not. */
export type TestVisitor = {
  call(key: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A call whose answer is a stream. The signal ends it. */
  open(key: string, init?: RequestInit): Promise<Response>;
  cookie(): string;
};

/** Somebody who has signed up and is signed in. */
export type TestPerson = TestVisitor & { userId: string; email: string };

export type TestApi = {
  api: Api;
  store: Store;
  /** Its listening address, which is also its public address. */
  url: string;
  /** The lines at the terminal, and the lines of the log. */
  announced: string[];
  logged: string[];
  visitor(): TestVisitor;
  /** A new account, signed in. */
  signUp(name: string): Promise<TestPerson>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Parts that a test gives the api in place of the real ones. */
type Given = {
  /** The store of another api. That api closes it. */
  store?: Store;
  /** Epoch milliseconds. */
  clock?: () => number;
  /** False ignores a caller's `x-forwarded-for`, as without a reverse proxy. */
  trustProxy?: boolean;
  /** By default a folder that holds every file that is asked for. */
  backups?: ApiDeps['backups'];
  postgres?: ApiDeps['postgres'];
  terminalTimes?: ApiDeps['terminalTimes'];
  /** By default no name has a TXT record. */
  readTxt?: (name: string) => Promise<readonly string[]>;
  /** By default no server’s name has an address. */
  resolveServer?: ApiDeps['resolveServer'];
  /** By default none of the services at which people are told is there. */
  serviceAddress?: ApiDeps['serviceAddress'];
  /** By default public addresses alone, as the console has it. */
  pushGate?: ApiDeps['pushGate'];
  /** By default as the console promises. */
  proxyPace?: ApiDeps['proxyPace'];
  /** By default no request waits for those before it, because a test sends more in a second than a page does. */
  pace?: Pace;
  /** Adds another service to the same server, on the same store. */
  beside?: (server: FastifyInstance, api: Api, store: Store) => Promise<void>;
  /** By default no call of a tool waits for those before it. */
  toolPace?: Pace;
};

const noAddress = (name: string) => Object.assign(new Error(name), { code: 'ENOTFOUND' });

const unhurried: Pace = { atOnce: 1e9, burstPerSecond: 1e9, burst: 1e9, perSecond: 1e9, waitMs: 0 };

/** The whole api on a free loopback port and, unless a store is given, a database of its own. */
export async function startTestApi(
  changes: Partial<ApiConfiguration> = {},
  given: Given = {},
): Promise<TestApi> {
  const database = given.store ? { store: given.store, close: async () => {} } : await testDatabase();
  const announced: string[] = [];
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => logged.push(line) });
  // The public address must be known before the api is made, so the port is chosen first.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const api = await createApi({
    store: database.store,
    configuration: {
      version: '0.0.0',
      commit: null,
      publicUrl: url,
      appDomain: null,
      proxy: {
        proxyHost: 'proxy.homeport.example',
        address: 'console.homeport.example',
        urlOf: (domain) => `https://${domain}/`,
        asksPrivate: false,
        // Nothing listens here.
        plane: { host: '127.0.0.1', port: 9 },
        dnsServers: [],
        ruleWorker: await buildRuleWorker(),
      },
      signUps: 'closed',
      statusPages: true,
      promos: [],
      ceilings,
      demo: null,
      smtp: null,
      secret: randomBytes(32).toString('base64'),
      loopback: true,
      previousSecret: null,
      github: null,
      appDomainToken: null,
      // Nothing listens there: a test that needs Cloudflare gives its stand-in's address.
      cloudflareUrl: 'http://127.0.0.1:9/client/v4',
      allowPrivateTargets: true,
      consolePorts: [7070],
      pings: {},
      sole: true,
      live: { socketsPerSession: 100, socketsPerPerson: 200 },
      ...changes,
    },
    log,
    announce: (text) => announced.push(text),
    backups: given.backups ?? backupsInMemory(),
    postgres: given.postgres ?? { programs: null, kept: async () => [] },
    clock: given.clock ?? Date.now,
    ...(given.terminalTimes && { terminalTimes: given.terminalTimes }),
    readTxt: given.readTxt ?? (async () => []),
    resolveServer: given.resolveServer ?? ((name, _options, done) => done(noAddress(name), [])),
    ...(given.pushGate && { pushGate: given.pushGate }),
    serviceAddress: given.serviceAddress ?? (() => 'http://127.0.0.1:9'),
    ...(given.proxyPace && { proxyPace: given.proxyPace }),
    pace: given.pace ?? unhurried,
    toolPace: given.toolPace ?? unhurried,
  });
  // A test uses `x-forwarded-for` to call from another address.
  const { trustProxy = true } = given;
  const server = fastify({ ...serverOptions(log), trustProxy, forceCloseConnections: true });
  await api.register(server);
  await given.beside?.(server, api, database.store);
  await server.listen({ host: '127.0.0.1', port });

  return {
    api,
    store: database.store,
    url,
    announced,
    logged,
    visitor: () => createVisitor(url),
    signUp: (name) => signUp(url, name),
    async [Symbol.asyncDispose]() {
      await server.close();
      await api.close();
      await database.close();
    },
  };
}

export const password = 'correct horse battery';

/** Signs a person up with the password of all tests. `url` is the console's public address. */
export async function signUp(url: string, name: string): Promise<TestPerson> {
  const person = createVisitor(url);
  const email = `${name}@example.com`;
  const answer = await person.call('POST /api/auth/sign-up/email', { name, email, password });
  return { ...person, email, userId: bodyOf<{ user: { id: string } }>(answer, 200).user.id };
}

/** The body of an answer with the expected status. Throws the answer if it has another status. */
export function bodyOf<T>({ status, body }: Answer, expected: number): T {
  if (status !== expected) throw new Error(`Answered ${status}, not ${expected}: ${JSON.stringify(body)}`);
  return body as T;
}

/** A browser without a session. `url` is the console's public address. */
export function createVisitor(url: string): TestVisitor {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (key: string, init: RequestInit) => {
    const [method = '', path = ''] = key.split(' ');
    const headers = new Headers(init.headers);
    if (!headers.has('origin')) headers.set('origin', url);
    if (jar.size > 0) headers.set('cookie', cookie());
    // The server may end a kept connection at the moment in which fetch takes it up again. A browser then asks once more, fetch fails.
    // A request with a body keeps its connection: an early refusal would be lost with the connection that ends behind it.
    if (init.body === undefined) headers.set('connection', 'close');
    const response = await fetch(url + path, { ...init, method, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split(/=(.*)/s) ?? [];
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    async call(key, body, headers) {
      const response = await send(key, {
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('application/json');
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    },
    open: (key, init = {}) => send(key, init),
    cookie,
  };
}
