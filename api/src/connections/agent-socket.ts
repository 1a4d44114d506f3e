import { isIP } from 'node:net';
import { agentSubprotocol, consoleUser } from '@homeport/contract/connections/facts';
import type { PageMessage } from '@homeport/contract/connections/schema';
import { type Ceilings, terminalOpenings } from '@homeport/contract/limits';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import type { TokenKind } from '@homeport/contract/tokens/facts';
import { RefusedDestination } from '@homeport/egress';
import {
  type Connection,
  type ConnectionLife,
  type ConnectionPool,
  defaultTimeouts,
  OpeningError,
  openConnection,
  type PacketPace,
  probeHostKey,
  type Target,
  type Timeouts,
} from '@homeport/ssh';
import type { WebSocket } from 'ws';
import { createSeats, type Seats } from '../http/seats.ts';
import { isAbsence } from '../remote/resolve-by-dns.ts';
import { sayNoAddress } from '../remote/server-addresses.ts';
import type { TargetPolicy } from '../remote/target-policy.ts';
import { createOpeningRate } from './opening-rate.ts';
import { createPacketPaces } from './packet-paces.ts';
import { PageChannel } from './page-channel.ts';
import { pageCredential } from './page-credential.ts';

export type LinkedServer = {
  /** The address or the name that the person linked. */
  host: string;
  port: number;
  /** The accounts that may log in: the given one and, if it exists, the console's own. */
  usernames: readonly string[];
  /** The account is there that the console made for itself, and it is not the given one. A terminal logs in as no other. */
  hasConsoleAccount: boolean;
  /** `publicKeyBlob`: the key that the person chose for this server. */
  credential: { kind: 'key'; publicKeyBlob: Buffer } | { kind: 'password' };
  /** The store's copy of the pin; null until the person accepts the first key. */
  pinnedHostKey: { fingerprint: string; algorithm: string } | null;
};

export type AgentSocketDeps = {
  pool: ConnectionPool;
  /** Null if the person has no such server. */
  findServer(ownerId: string, serverId: string): Promise<LinkedServer | null>;
  /** Judges what is connected to, and connects to what was judged. */
  targets: Pick<TargetPolicy, 'refuses' | 'connect'>;
  /** Epoch milliseconds. */
  clock: () => number;
  /** For each person, at the same time. */
  ceilings: Pick<Ceilings, 'openings' | 'connections'>;
  timeouts?: Partial<Timeouts>;
  life?: ConnectionLife;
};

/** One upgraded request. `session` is null if nobody is signed in. */
export type AgentSocketRequest = {
  serverId: string;
  session: Caller | null;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
};

/** `kind`: of the API token, where one speaks for the person; `connects`: its id. */
type Caller = { userId: string; sessionId: string; kind?: TokenKind; connects?: string };

/** How many pages may wait for one opening. */
const pagesPerOpening = 8;
/** The page sends its first message within this time, or the socket is closed. */
const openWithinMs = 10_000;

/**
 * `GET /api/servers/:id/connection`: one opening on one socket, ended by the message `host`, `ready` or
 * `failed`. Never rejects.
 */
export function createAgentSocket(deps: AgentSocketDeps) {
  const ofPages = createDoor(deps.ceilings.openings, deps.clock);
  const ofTerminals = createDoor(terminalOpenings, deps.clock);
  const paces = createPacketPaces();

  return async (
    socket: WebSocket,
    { serverId: asked, session, log }: AgentSocketRequest,
  ): Promise<OpeningEnd> => {
    // Another spelling of the id would have a pace of its own.
    const serverId = asked.toLowerCase();
    const page = new PageChannel(socket);
    let leave: (() => void) | null = null;
    try {
      if (!session) throw new OpeningError({ code: 'not_signed_in', message: 'Sign in and try again.' });
      const { openings, pages, handshakes, rate } = session.kind === undefined ? ofPages : ofTerminals;
      leave = pages.take(session.userId);
      if (!leave) throw tooManyOpenings(openings * pagesPerOpening);
      if (socket.protocol !== agentSubprotocol) {
        throw new OpeningError({
          code: 'protocol',
          message: `This WebSocket accepts the subprotocol ${agentSubprotocol} only.`,
        });
      }
      const open = await nextOpen(page, serverId);
      const server = await deps.findServer(session.userId, serverId);
      if (!server) throw new OpeningError({ code: 'not_found', message: 'There is no such server.' });
      if (session.kind !== undefined) refuseUnfitTerminal(open, server);
      refuseUnfit(open, server, deps.targets);
      if (!rate.admit(session.connects ?? session.userId, serverId)) {
        const message =
          'Too many connections to this server were opened within a minute. This one was not opened. Wait a minute, then try again.';
        throw new OpeningError({ code: 'too_many', message });
      }
      const take = () => takeHandshake(handshakes, session.userId, openings);
      if (open.pin === null) {
        await showHostKey(page, server, deps, take);
        return 'shown';
      }

      const own = { take, pace: () => paces.of(session.userId) };
      const connection = await openOrJoin(page, open, server, session, deps, own);
      const { id: connectionId, idleMs, expiresAt, bootId } = connection;
      page.end({ type: 'ready', connectionId, idleMs, expiresAt, bootId });
      log.info({ serverId, connectionId }, 'connection opened');
      return 'opened';
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'internal') log.warn({ serverId, err: error }, 'opening failed');
      else log.info({ serverId, code: failure.code }, 'opening ended without a connection');
      page.end({
        type: 'failed',
        ...failure,
        code: failure.code === 'internal' ? 'unreachable' : failure.code,
      });
      return ofTheWay.has(failure.code) ? 'failed' : 'refused';
    } finally {
      leave?.();
    }
  };
}

/** How an opening ended: a host key was shown, a connection opened, it was refused, or the server was not reached. Nothing of it is a secret. */
export type OpeningEnd = 'shown' | 'opened' | 'refused' | 'failed';

const ofTheWay: ReadonlySet<string> = new Set([
  ...['unreachable', 'timeout', 'internal', 'connection_lost', 'agent_gone', 'agent_timeout'],
]);

/** What openings share: places of a person, and a pace for each server. */
function createDoor(openings: number, clock: () => number) {
  return {
    openings,
    pages: createSeats(openings * pagesPerOpening),
    handshakes: createSeats(openings),
    rate: createOpeningRate(clock),
  };
}

/** Takes one of the person's places for handshakes. The returned function frees the place. */
type Take = () => () => void;

function takeHandshake(handshakes: Seats, userId: string, most: number): () => void {
  const leave = handshakes.take(userId);
  if (!leave) throw tooManyOpenings(most);
  return leave;
}

const tooManyOpenings = (most: number) =>
  new OpeningError({
    code: 'too_many',
    message: `You are opening ${most} connections at this moment, which is the most for one account. Wait until one of them is open, then try again.`,
  });

function refuseMoreConnections({ pool, ceilings }: AgentSocketDeps, userId: string): void {
  if (pool.heldBy(userId) < ceilings.connections) return;
  throw new OpeningError({
    code: 'too_many',
    message: `You have ${ceilings.connections} connections to servers, which is the most for one account. They stay open. An idle connection ends after 5 minutes. Try again then.`,
  });
}

type Open = Extract<PageMessage, { type: 'open' }>;

function nextOpen(page: PageChannel, serverId: string): Promise<Open> {
  const open = (from: PageMessage | Buffer) =>
    !Buffer.isBuffer(from) && from.type === 'open' && from.serverId.toLowerCase() === serverId
      ? { ...from, serverId }
      : null;
  return page.next(open, AbortSignal.timeout(openWithinMs));
}

/**
 * Checks everything that is settled before a packet is sent: the address, the account, the credential and the
 * host key.
 */
function refuseUnfit(open: Open, server: LinkedServer, targets: AgentSocketDeps['targets']): void {
  // The addresses of a name are judged when it is connected to.
  if (isIP(server.host) !== 0 && targets.refuses(server.host, server.port) !== null) {
    const message = `This console does not connect to ${server.host}, because that is not a public address.`;
    throw new OpeningError({ code: 'unreachable', message });
  }
  if (!server.usernames.includes(open.user)) {
    throw new OpeningError({
      code: 'protocol',
      message: `${open.user} is not the account of this server. Load the page again.`,
    });
  }
  const { credential } = server;
  const fits =
    credential.kind === 'password'
      ? open.method === 'password'
      : open.method === 'agent' && open.publicKey === credential.publicKeyBlob.toString('base64');
  if (!fits)
    throw new OpeningError({
      code: 'protocol',
      message: 'This is not the credential of the server. Load the page again.',
    });
  if (open.pin !== null) refuseOtherPin(server, open.pin);
}

/**
 * What a browser alone decides or does: work of another account than `homeport`, passwords, the first host key, and a signature that is
 * not bound to the server.
 */
function refuseUnfitTerminal(open: Open, { hasConsoleAccount, pinnedHostKey }: LinkedServer): void {
  const refuse = (message: string) => {
    throw new OpeningError({
      code: 'auth_refused',
      message: `${message} Nothing was tried. Go on in the browser that holds the key.`,
    });
  };
  if (open.user !== consoleUser) refuse(`A terminal logs in as ${consoleUser}, and never as ${open.user}.`);
  if (!hasConsoleAccount)
    refuse(`A terminal logs in as ${consoleUser}, and this server has no such account of the console.`);
  if (open.method !== 'agent') refuse('A terminal logs in with an SSH key, and never with a password.');
  if (open.plainAllowed)
    refuse('A terminal signs for the server that it knows, and never without naming it.');
  if (pinnedHostKey === null) refuse('Nobody has accepted the host key of this server yet.');
}

function refuseOtherPin({ pinnedHostKey }: LinkedServer, presented: string): void {
  if (!pinnedHostKey || pinnedHostKey.fingerprint === presented) return;
  throw new OpeningError({
    code: 'host_key_changed',
    message: `The host key is ${presented}; the one accepted for this server before is ${pinnedHostKey.fingerprint}.`,
    fingerprints: { pinned: pinnedHostKey.fingerprint, presented },
  });
}

/**
 * The way to a server through the gate. A name is resolved once for each opening, and may lead elsewhere than at the last one: `explain`
 * says where it led, so that a moved name can be told from an attack, and nothing of the operator's own network.
 */
function wayTo({ host, port }: LinkedServer, { targets }: AgentSocketDeps) {
  const isName = isIP(host) === 0;
  let address: string | undefined;
  const target: Target = {
    ...{ host, port },
    connect(to, options) {
      const socket = targets.connect(to, options);
      if (isName)
        socket.once('connect', () => (address = canonicalAddress(socket.remoteAddress ?? '') ?? undefined));
      return socket;
    },
  };
  return {
    target,
    addressOf: () => (address === undefined ? {} : { address }),
    explain(error: unknown): never {
      const cause = error instanceof OpeningError ? error.cause : error;
      if (cause instanceof RefusedDestination || isAbsence(cause))
        throw new OpeningError({ code: 'unreachable', message: sayNoAddress(host) }, cause);
      if (!(error instanceof OpeningError) || !error.failure.fingerprints || address === undefined)
        throw error;
      const message = `${error.failure.message} ${host} leads to ${address} now.`;
      throw new OpeningError({ ...error.failure, message, address }, error);
    },
  };
}

/** This page has no pin yet: the person compares the fingerprint, and the page opens again with that pin. */
async function showHostKey(
  page: PageChannel,
  server: LinkedServer,
  deps: AgentSocketDeps,
  take: Take,
): Promise<void> {
  const leave = take();
  const { target, addressOf, explain } = wayTo(server, deps);
  const { hostKey, fingerprint, keyType } = await probeHostKey(target, {
    signal: page.gone,
    ...(deps.timeouts && { timeouts: deps.timeouts }),
    ...(server.pinnedHostKey && { hostKeyType: server.pinnedHostKey.algorithm }),
  })
    .finally(leave)
    .then((probed) => {
      refuseOtherPin(server, probed.fingerprint);
      return probed;
    })
    .catch(explain);
  const key = { fingerprint, hostKey: hostKey.toString('base64'), algorithm: keyType };
  page.end({ type: 'host', ...key, ...addressOf() });
}

/** Two pages of one session share one opening. If the signing page leaves, the waiting page takes over. */
async function openOrJoin(
  page: PageChannel,
  open: Open,
  server: LinkedServer,
  { userId, sessionId, kind, connects }: Caller,
  deps: AgentSocketDeps,
  { take, pace }: { take: Take; pace: () => PacketPace },
): Promise<Connection> {
  const key = {
    ...{ owner: userId, sessionId, serverId: open.serverId, user: open.user },
    ...(connects !== undefined && { endsWith: connects }),
  };
  for (;;) {
    const joins = deps.pool.isOpening(key);
    if (!joins && !deps.pool.get(key)) refuseMoreConnections(deps, userId);
    const opened = deps.pool.open(key, async (closing) => {
      const leave = take();
      const signal = AbortSignal.any([closing, page.gone]);
      const timeouts =
        kind !== undefined && open.asksPerson === true ? withPerson(deps.timeouts) : deps.timeouts;
      return connect(page, open, server, { signal, pace: pace(), timeouts }, deps).finally(leave);
    });
    try {
      return await unlessGone(opened, page);
    } catch (error) {
      const otherPageLeft = joins && error instanceof OpeningError && error.failure.code === 'agent_gone';
      if (!otherPageLeft || page.gone.aborted) throw error;
    }
  }
}

/** An SSH agent that asks its person gets the time of a person who types. */
function withPerson(given: Partial<Timeouts> = {}): Timeouts {
  const all = { ...defaultTimeouts, ...given };
  return { ...all, sign: all.prompt, ready: all.readyWithPrompt };
}

function connect(
  page: PageChannel,
  open: Open,
  server: LinkedServer,
  {
    signal,
    pace,
    timeouts,
  }: { signal: AbortSignal; pace: PacketPace; timeouts: Partial<Timeouts> | undefined },
  deps: AgentSocketDeps,
): Promise<Connection> {
  const { openId } = open;
  const credential =
    server.credential.kind === 'password'
      ? pageCredential(page, { openId, method: 'password' })
      : pageCredential(page, { openId, method: 'agent', publicKeyBlob: server.credential.publicKeyBlob });
  const { target, explain } = wayTo(server, deps);
  return openConnection({
    ...target,
    username: open.user,
    pinnedHostKey: open.pin ?? '',
    ...(server.pinnedHostKey && { hostKeyType: server.pinnedHostKey.algorithm }),
    credential,
    plainAllowed: open.plainAllowed,
    signal,
    pace,
    ...(timeouts && { timeouts }),
    ...(deps.life && { life: deps.life }),
  }).catch(explain);
}

/** A page that joined another page's opening stops waiting when it leaves. The opening itself goes on. */
function unlessGone(opened: Promise<Connection>, page: PageChannel): Promise<Connection> {
  return new Promise((resolve, reject) => {
    page.gone.addEventListener('abort', () => reject(page.gone.reason), { once: true });
    opened.then(resolve, reject);
  });
}

function failureOf(error: unknown) {
  if (error instanceof OpeningError) return error.failure;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { code: 'timeout', message: 'The page did not begin the opening in time.' } as const;
  }
  return {
    code: 'internal',
    message: 'The console could not open the connection. Its log has the details.',
  } as const;
}
