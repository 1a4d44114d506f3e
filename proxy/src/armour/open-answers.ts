import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerPlain } from '../visit.ts';
import type { Watched } from './reaper.ts';

/** The answers that are not over, by connection. The sweep finds those of which something waits for the visitor to take it. */
export type OpenAnswers = Watched & {
  /**
   * False for a request beyond the bound of its connection. The first such request is answered with 503 in its turn, behind the
   * answers to those before. Nothing after it is read, and the connection ends with it.
   */
  admit(socket: Socket, res: ServerResponse): boolean;
  /** How many answers of a connection are not over. */
  count(socket: Socket): number;
  /** Ends each connection with the last of its answers. */
  beLast(): void;
  /** Nothing has moved on the connection for as long as its time allows. */
  timedOut(socket: Socket): void;
};

/**
 * @param most requests of one connection under way: Node reads them on for as long as no answer begins
 * @param stallMs in which a visitor takes at least a byte of what waits for it
 */
export function keepOpenAnswers(most: number, stallMs: number): OpenAnswers {
  const open = new Map<Socket, ServerResponse[]>();
  const refused = new WeakSet<Socket>();
  const openOn = (socket: Socket): ServerResponse[] => {
    const known = open.get(socket);
    if (known !== undefined) return known;
    const answers: ServerResponse[] = [];
    open.set(socket, answers);
    socket.once('close', () => {
      open.delete(socket);
      endWaiting(answers);
    });
    return answers;
  };
  return {
    admit(socket, res) {
      // The parser ends the piece of bytes that it has begun.
      if (refused.has(socket)) return false;
      const answers = openOn(socket);
      answers.push(res);
      res.once('close', () => answers.splice(answers.indexOf(res), 1));
      if (answers.length <= most) return true;
      refused.add(socket);
      discard(socket);
      answerPlain(res, 503, 'Too many requests wait on this connection.', {
        ...{ close: true, headers: ['retry-after', '1'] },
      });
      return false;
    },
    count: (socket) => open.get(socket)?.length ?? 0,
    sweepPlace: -1,
    look() {
      // A timer for each answer would cost more than it saves, and the whole of most answers is out at once.
      for (const socket of open.keys())
        if (socket.writableLength > 0 && socket.timeout !== stallMs) socket.setTimeout(stallMs);
    },
    timedOut(socket) {
      const isIdle = (open.get(socket)?.length ?? 0) === 0;
      if (isIdle || socket.writableLength > 0) socket.destroy();
    },
    beLast() {
      for (const [socket, answers] of open) {
        const last = answers.at(-1);
        if (last === undefined) continue;
        if (!last.headersSent) last.shouldKeepAlive = false;
        else last.once('finish', () => socket.destroySoon());
      }
    },
  };
}

/** With a connection Node closes the answer that is on it, and never hears again of those that wait for their turn. */
function endWaiting(answers: readonly ServerResponse[]): void {
  for (const res of [...answers]) {
    if (res.socket !== null) continue;
    res.destroyed = true;
    res.emit('close');
  }
}

/** Bytes that a visitor may still send while it waits for the answers to what it sent before. */
const discardedBytes = 1024 * 1024;

/**
 * Takes what the visitor still sends, without parsing it. A connection that is closed with bytes unread is reset, and the reset takes
 * away the answers that its visitor has not read yet.
 */
function discard(socket: Socket): void {
  let left = discardedBytes;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.pause();
  });
}
