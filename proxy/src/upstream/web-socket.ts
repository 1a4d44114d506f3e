import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { headersOfStatus, responseHeaders } from '../response/response-headers.ts';
import { refuseWaiting } from '../shares/refusals.ts';
import type { Turn } from '../shares/turns.ts';
import { answerPlain, originOf, type Visit } from '../visit.ts';
import type { Asker, Flow, Upgraded } from './connection.ts';
import { explainFailure, isLostConnection } from './explain-error.ts';
import type { PassingParts } from './pass-on.ts';
import { requestHeaders } from './request-headers.ts';
import { SocketPipe } from './socket-pipe.ts';

export type OpenSocket = { end(): void };

/**
 * Passes a WebSocket handshake on. After a 101 the plane carries bytes both ways.
 *
 * @param head bytes that the visitor sent right after the handshake
 * @param opened is told of the pipe, so that the plane can end it with its site
 */
export function passWebSocket(
  visit: Visit,
  { socket, head }: { socket: Duplex; head: Buffer },
  parts: PassingParts & { opened: (pipe: OpenSocket) => () => void },
): void {
  const { res, resolved, site } = visit;
  const taken = parts.pools.take(site, resolved.rule.target);
  if (taken === null) {
    refuseWaiting(res, { close: true });
    return;
  }
  const place = { site, rule: resolved.rule, origin: originOf(visit) };
  let flow: Flow | null = null;
  let refused = false;
  let answered = false;
  /** The upstream may have closed a kept connection just now. */
  let mayRetry = true;
  const leave = () => {
    clearTimeout(late);
    taken.leave();
    flow?.abort(asker);
  };
  socket.on('close', leave);
  const late = setTimeout(() => {
    if (answered) return;
    answered = true;
    flow?.abort(asker);
    answerPlain(res, 504, 'timeout', { close: true });
  }, parts.limits.upstreamHeadMs);

  const headers = requestHeaders(visit, parts.id, { mark: null });
  const asker: Asker = {
    hasLeft() {
      return socket.destroyed || answered;
    },
    begun(started) {
      flow = started;
    },
    upgraded(told, rest, upstream) {
      clearTimeout(late);
      answered = true;
      if (socket.destroyed) return void upstream.socket.destroy();
      const visitor = socketOf(socket);
      res.detachSocket(visitor);
      // An open socket may stay for days. From here on nothing holds on to its request.
      socket.off('close', leave);
      // It has a share of its own, and no request of the website waits for it.
      taken.leave();
      socket.write(handshake(responseHeaders(told.flat, place, null)), 'latin1');
      openPipe(visitor, upstream, { ...parts, turn: taken.turn, leave: visit.handOver(), head, rest });
    },
    head(told) {
      if (told.status < 200) return;
      clearTimeout(late);
      answered = true;
      refused = true;
      if (told.status > 599) {
        flow?.abort(asker);
        answerPlain(res, 502, 'bad_answer', { close: true });
        return;
      }
      // The sweep does not know this answer: neither side may stop in the middle of it.
      socketOf(socket).setTimeout(parts.limits.answerStallMs, () => socket.destroy());
      const flat = headersOfStatus(told.status, responseHeaders(told.flat, place, null));
      res.writeHead(told.status, [...flat, 'connection', 'close']);
    },
    data(chunk) {
      if (res.write(Buffer.from(chunk))) return;
      flow?.pause(asker);
      res.once('drain', () => flow?.resume(asker));
    },
    end: () => void res.end(),
    failed(error) {
      clearTimeout(late);
      if (refused) return void socket.destroy();
      if (answered) return;
      if (mayRetry && isLostConnection(error)) {
        mayRetry = false;
        ask();
        return;
      }
      answered = true;
      const { status, code } = explainFailure(error);
      answerPlain(res, status, code, { close: true });
    },
  };
  const ask = () =>
    taken.ask({ path: resolved.upstream, method: 'GET', headers, body: null, upgrades: true }, asker);
  ask();
}

/** A function of its own, so that it holds on to nothing of the handshake. */
function openPipe(
  visitor: Socket,
  upstream: Upgraded,
  {
    sweep,
    limits,
    opened,
    turn,
    leave,
    head,
    rest,
  }: Pick<PassingParts, 'sweep' | 'limits'> & {
    opened: (pipe: OpenSocket) => () => void;
    turn: Turn;
    leave: () => void;
    head: Buffer;
    rest: Buffer;
  },
): void {
  const ended = [leave];
  const pipe = new SocketPipe(visitor, upstream, { limits, turn }, ended);
  sweep.add(pipe);
  ended.push(opened(pipe), () => sweep.delete(pipe));
  if (rest.length > 0) pipe.toVisitor(rest);
  if (head.length > 0) upstream.socket.write(head);
}

function handshake(headers: readonly string[]): string {
  let text = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${text}\r\n`;
}

function socketOf(socket: Duplex): Socket {
  if (socket instanceof Socket) return socket;
  throw new Error('A visitor comes over a socket.');
}
