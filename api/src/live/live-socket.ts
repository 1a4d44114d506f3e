import { liveMessageBytes } from '@homeport/contract/live/facts';
import { type LivePageMessage, livePageMessageSchema } from '@homeport/contract/live/schema';
import type { FastifyBaseLogger } from 'fastify';
import type { RawData } from 'ws';
import type { Handlers } from '../http/handlers.ts';
import type { OpenedStream, OpenStream } from '../http/open-stream.ts';
import { ProblemError } from '../http/problem.ts';
import { keepAlive } from './heartbeat.ts';
import { createLiveCeilings } from './live-ceilings.ts';
import type { LiveLimits } from './live-limits.ts';
import { createLiveSender } from './live-sender.ts';
import { serveSubscription } from './subscription.ts';

type Deps = { openStream: OpenStream; limits: LiveLimits; log: FastifyBaseLogger };

type Subscription = { leave: AbortController; say: OpenedStream['say'] | null };

/** The console waits for no longer than this for a page to answer the closing handshake. */
const closingMs = 2_000;

/** Serves the one socket of a page: each stream that the page follows is a subscription on it. */
export function createLiveSocket({ openStream, limits, log }: Deps): Handlers['GET /api/live'] {
  const ceilings = createLiveCeilings(limits);
  return (socket, { session, address, signal }) => {
    const sender = createLiveSender(socket, limits, ceilings.unread(session));
    const gone = new AbortController();
    const subscriptions = new Map<number, Subscription>();
    const admits = createRate(limits.messages);
    const admitsSend = createRate(limits.sends);
    /** Ends the socket from the console's side. 1008: the page broke the protocol (RFC 6455, 7.4.1). */
    const cutOff = (code: number, why: string) => {
      gone.abort();
      socket.close(code, why);
      setTimeout(() => socket.terminate(), closingMs).unref();
    };

    const subscribe = async (asked: Extract<LivePageMessage, { type: 'subscribe' }>) => {
      const { id } = asked;
      if (subscriptions.has(id)) return cutOff(1008, 'This subscription is open already.');
      let release: () => void;
      try {
        release = ceilings.admitSubscription(session, subscriptions.size);
      } catch (error) {
        return refuse(error, (problem) => sender.tell({ type: 'failed', id, problem }));
      }
      const leave = new AbortController();
      const subscription: Subscription = { leave, say: null };
      subscriptions.set(id, subscription);
      const left = AbortSignal.any([leave.signal, gone.signal, signal]);
      const open = (stop: AbortSignal) => openStream(asked, { session, address, signal: stop });
      try {
        await serveSubscription({
          id,
          open,
          onOpen: (say) => {
            subscription.say = say;
          },
          sender,
          eventBytes: limits.eventBytes,
          left,
          person: session.userId,
          log,
        });
      } finally {
        subscriptions.delete(id);
        release();
      }
    };

    const hear = (data: RawData, isBinary: boolean) => {
      if (signal.aborted || gone.signal.aborted) return;
      const message = isBinary ? null : readMessage(data);
      if (message === 'too large') return cutOff(1009, 'The message is too large.');
      if (!message) return cutOff(1008, 'The console does not understand this message.');
      const admitted = message.type === 'send' ? admitsSend() : admits();
      if (!admitted) return cutOff(1008, 'The page sends too much.');
      if (message.type === 'send') {
        // A subscription that has just ended takes nothing more, which the page cannot know yet.
        const { say = null } = subscriptions.get(message.id) ?? {};
        if (say && !say(message.data)) cutOff(1008, 'The console does not understand this message.');
      } else if (message.type === 'unsubscribe') subscriptions.get(message.id)?.leave.abort();
      else subscribe(message).catch((error) => log.error({ err: error }, 'a subscription broke off'));
    };

    let release: () => void;
    try {
      release = ceilings.admitSocket(session);
    } catch (error) {
      return refuse(error, (problem) => {
        sender.tell({ type: 'refused', problem });
        cutOff(1013, 'Too many pages are open.');
      });
    }
    const stopHeartbeat = keepAlive(socket, sender, limits.heartbeatMs);
    socket.on('message', hear);
    socket.once('close', () => {
      gone.abort();
      stopHeartbeat();
      release();
    });
  };
}

function refuse(error: unknown, tell: (problem: ReturnType<ProblemError['toProblem']>) => void): void {
  if (!(error instanceof ProblemError)) throw error;
  tell(error.toProblem());
}

function readMessage(data: RawData): LivePageMessage | 'too large' | null {
  const bytes = Buffer.isBuffer(data)
    ? data
    : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
  if (bytes.length > liveMessageBytes) return 'too large';
  try {
    return livePageMessageSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    // Text that is not JSON breaks the protocol, as a message of another shape does.
    return null;
  }
}

/** A bucket of tokens; each message takes one. */
function createRate({ burst, perSecond }: LiveLimits['messages']): () => boolean {
  let tokens = burst;
  let at = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - at) / 1_000) * perSecond);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
