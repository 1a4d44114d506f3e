import type { LiveConnection } from '@homeport/contract/connections/schema';
import { openingsPerMinute } from '@homeport/contract/limits';
import type { Bytes } from '@homeport/signer/bytes';
import { type Credential, connectSocket, type TalkOutcome, talk } from './agent-socket.ts';
import {
  declined,
  type FailedState,
  failed,
  type OpeningQuestion,
  type OpeningState,
  type ReadyState,
} from './opening-state.ts';
import { agreeToPlain, pinHostKey, readTrust, type ServerTrust } from './server-trust.ts';
import { countSigned } from './signing-record.ts';

export interface OpenConnectionOptions {
  serverId: string;
  /** The account on the server. */
  user: string;
  credential: Credential;
  /**
   * Called with every state. A question carries its own answer function. Without a listener nobody is asked:
   * the opening succeeds silently or fails as `declined`.
   */
  onState?: (state: OpeningState) => void;
  /**
   * Called after another tab has finished its own opening. If that opening succeeded, this one has nothing
   * left to do.
   */
  listLive: () => Promise<LiveConnection[]>;
  /**
   * Tells the console that the user accepted a host key, because the console's copy of the pin refuses every
   * other key. `algorithm` is the type of the key; null if this page has not seen it.
   */
  acceptHostKey?: (fingerprint: string, algorithm: string | null) => Promise<void>;
  signal?: AbortSignal;
  connect?: (serverId: string) => WebSocket;
}

/**
 * Opens a connection from the console to a server, with this page as the SSH agent. Resolves with the last
 * state. Never rejects for a reason of the server, the console or the user.
 */
export async function openConnection(options: OpenConnectionOptions): Promise<ReadyState | FailedState> {
  const end = await open(options);
  options.onState?.(end);
  return end;
}

async function open(options: OpenConnectionOptions): Promise<ReadyState | FailedState> {
  const { serverId, onState } = options;
  if (!globalThis.crypto?.subtle || !navigator.locks) return insecurePage();
  const name = `homeport opening ${serverId}`;
  const alone = await navigator.locks.request(
    name,
    { ifAvailable: true },
    (lock) => lock && openAlone(options),
  );
  if (alone) return alone;
  onState?.({ status: 'connecting', step: 'other_tab' });
  return navigator.locks.request(name, async () => {
    const live = (await options.listLive()).find(
      (connection) => connection.serverId === serverId && connection.user === options.user,
    );
    if (!live) return openAlone(options);
    return {
      status: 'ready',
      connectionId: live.connectionId,
      expiresAt: live.expiresAt,
      bootId: null,
    } as const;
  });
}

/**
 * A server must not wait for the user. Therefore every question comes before or between two sockets. A
 * password is the only exception.
 */
async function openAlone(options: OpenConnectionOptions): Promise<ReadyState | FailedState> {
  const { serverId } = options;
  const trust = await readTrust(serverId);
  if (trust.askEachTime && !(await confirm(options, 'asked_each_time'))) return declined();
  const recent = await countSigned(serverId, Date.now() - 60_000);
  if (recent >= openingsPerMinute && !(await confirm(options, 'many_openings'))) return declined();

  if (trust.pin === null) return meet(options);
  const outcome = await logIn(options, trust.pin);
  if (!isChanged(outcome)) return withoutHost(outcome);
  // The console refused this page's own pin before it asked the server, because the console holds another
  // pin. Only the server can settle this.
  const change = outcome.fingerprints.presented === trust.pin ? await lookAgain(options, trust.pin) : outcome;
  return isChanged(change) ? settleChange(options, change, trust) : change;
}

/** The page's first contact with the server. */
async function meet(options: OpenConnectionOptions): Promise<ReadyState | FailedState> {
  const { serverId } = options;
  const host = await probe(options);
  if (host.status === 'failed') return isChanged(host) ? settleChange(options, host, null) : host;
  const { fingerprint, algorithm, address } = host;
  const accept = await ask<boolean>(options, false, (answer) => {
    return { status: 'host_key_question', fingerprint, algorithm, address, answer };
  });
  if (!accept) return declined();
  const refusal = await tellAccepted(options, fingerprint, algorithm);
  if (refusal) return refusal;
  await pinHostKey(serverId, fingerprint);
  return withoutHost(await logIn(options, fingerprint));
}

/**
 * Logs in under a pin. If the server accepts no host-bound signature, the page asks the user between two
 * sockets. The page does not ask if the server accepted one before: only the console claims the change, and
 * the page does not trust the console here.
 */
async function logIn(options: OpenConnectionOptions, pin: string): Promise<TalkOutcome> {
  const outcome = await attempt(options, pin);
  if (outcome.status !== 'failed' || outcome.code !== 'host_bound_unsupported') return outcome;
  const { hostBoundAt, plainAgreedAt } = await readTrust(options.serverId);
  if (hostBoundAt !== null) return downgrade(hostBoundAt);
  if (plainAgreedAt !== null) return outcome;
  const agrees = await ask<boolean>(options, false, (answer) => {
    return { status: 'plain_signature_question', answer };
  });
  if (!agrees) return declined();
  await agreeToPlain(options.serverId, pin);
  return attempt(options, pin);
}

function downgrade(hostBoundAt: number): FailedState {
  const since = new Date(hostBoundAt).toISOString().slice(0, 10);
  const message =
    `The console says that this server takes no signature bound to it, but it has taken them since ${since}. ` +
    'Nothing was signed. If you put an older SSH server there yourself, forget its host key in the server’s settings.';
  return failed('downgrade_refused', message);
}

type Changed = FailedState & { fingerprints: { pinned: string; presented: string } };

function isChanged(outcome: TalkOutcome): outcome is Changed {
  return outcome.status === 'failed' && outcome.code === 'host_key_changed' && Boolean(outcome.fingerprints);
}

/**
 * The server's present key beside the pin that differs from it: this page's pin, or else the console's pin.
 */
async function lookAgain(options: OpenConnectionOptions, pin: string): Promise<FailedState> {
  const host = await probe(options);
  if (host.status === 'failed' && !host.fingerprints) return host;
  const presented = host.status === 'host' ? host.fingerprint : (host.fingerprints?.presented ?? '');
  const pinned = (presented === pin && host.status === 'failed' && host.fingerprints?.pinned) || pin;
  return {
    ...failed('host_key_changed', `The host key is ${presented}; the one accepted before is ${pinned}.`),
    fingerprints: { pinned, presented },
    ...(host.address && { address: host.address }),
  };
}

/**
 * Asks the user. The page tells the console of an accepted key, has the server prove the key again, and only
 * then pins it.
 */
async function settleChange(
  options: OpenConnectionOptions,
  refused: Changed,
  trust: ServerTrust | null,
): Promise<ReadyState | FailedState> {
  const { pinned, presented } = refused.fingerprints;
  const pinnedAt = trust?.pin === pinned ? trust.pinnedAt : null;
  const address = refused.address ?? null;
  const accept = await ask<boolean>(options, false, (answer) => {
    return { status: 'host_key_changed', pinned, pinnedAt, presented, address, answer };
  });
  if (!accept) return refused;
  const refusal = await tellAccepted(options, presented, null);
  if (refusal) return refusal;
  const changed = await probe(options);
  if (changed.status === 'failed') return changed;
  // The page pins only the key that the user compared, and only if the server still proves that it holds this
  // key.
  if (changed.fingerprint !== presented) {
    return failed(
      'host_key_changed',
      `The server now shows a third key, ${changed.fingerprint}. Nothing was accepted.`,
    );
  }
  await pinHostKey(options.serverId, presented);
  return withoutHost(await logIn(options, presented));
}

/** Resolves with null if the console has taken the key. */
async function tellAccepted(
  options: OpenConnectionOptions,
  fingerprint: string,
  algorithm: string | null,
): Promise<FailedState | null> {
  try {
    await options.acceptHostKey?.(fingerprint, algorithm);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The console did not take the host key.';
    return failed('host_key_changed', message);
  }
}

async function probe(
  options: OpenConnectionOptions,
): Promise<Extract<TalkOutcome, { status: 'host' }> | FailedState> {
  const outcome = await attempt(options, null);
  if (outcome.status === 'host' || outcome.status === 'failed') return outcome;
  return failed('protocol', 'The console connected without asking about the host key.');
}

async function attempt(options: OpenConnectionOptions, pin: string | null): Promise<TalkOutcome> {
  const { serverId, user, credential, connect = connectSocket, signal } = options;
  options.onState?.({ status: 'connecting', step: pin === null ? 'probe' : 'login' });
  const trust = await readTrust(serverId);
  return talk({
    serverId,
    user,
    credential,
    pin,
    plainAllowed: pin !== null && trust.pin === pin && trust.plainAgreedAt !== null,
    connect,
    signal,
    askPassword: () => ask<Bytes | null>(options, null, (answer) => ({ status: 'needs_password', answer })),
    askAnswers: (prompts) =>
      ask<string[] | null>(options, null, (answer) => ({ status: 'needs_answers', prompts, answer })),
  });
}

function withoutHost(outcome: TalkOutcome): ReadyState | FailedState {
  if (outcome.status !== 'host') return outcome;
  return failed('protocol', 'The console asked about a host key that this page has pinned already.');
}

function confirm(
  options: OpenConnectionOptions,
  reason: 'asked_each_time' | 'many_openings',
): Promise<boolean> {
  return ask(options, false, (answer) => ({ status: 'needs_confirmation', reason, answer }));
}

/** Resolves with the user's answer. Resolves with `no` if nobody can answer or the opening was given up. */
function ask<T>(
  options: OpenConnectionOptions,
  no: T,
  question: (answer: (value: T) => void) => OpeningQuestion,
): Promise<T> {
  const { onState, signal } = options;
  return new Promise<T>((resolve) => {
    if (!onState || signal?.aborted) return resolve(no);
    signal?.addEventListener('abort', () => resolve(no), { once: true });
    onState(question(resolve));
  });
}

function insecurePage(): FailedState {
  return failed(
    'insecure_page',
    'Browsers give this page no cryptography over plain http. Open the console by https, or through a tunnel: ssh -L.',
  );
}
