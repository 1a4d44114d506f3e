import { terminalOutputBytes, terminalPieceBytes } from '@homeport/contract/terminals/facts';
import type { TerminalEvent } from '@homeport/contract/terminals/schema';

/** What waits for the page of one terminal, in its order. */
export type Outbox = AsyncIterable<TerminalEvent> & {
  put(event: Exclude<TerminalEvent, { type: 'output' }>): void;
  /** Resolves when the page has so much of the output that more may follow. */
  putOutput(bytes: Buffer): Promise<void>;
  /** The page has drawn so many bytes. */
  taken(bytes: number): void;
  /** The iteration ends behind what waits now. */
  end(): void;
};

type Waiting = { event: Parameters<Outbox['put']>[0] } | { pieces: Buffer[]; bytes: number };

/**
 * The server is held up by output that the page has not drawn. What the page says of bytes that it was never sent counts for nothing.
 * Little waits, however slowly the page takes it: output is gathered, and events of one kind are one.
 */
export function createOutbox(signal: AbortSignal): Outbox {
  const waiting: Waiting[] = [];
  const held: (() => void)[] = [];
  let queued = 0;
  let sent = 0;
  let ended = false;
  let wake = () => {};
  const isFull = () => queued + sent > terminalOutputBytes && !signal.aborted;
  const letGo = () => {
    while (!isFull()) {
      const next = held.shift();
      if (!next) return;
      next();
    }
  };
  const onAbort = () => {
    letGo();
    wake();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const room = () => {
    const last = waiting.at(-1);
    if (last && 'pieces' in last && last.bytes < terminalPieceBytes) return last;
    const next = { pieces: [], bytes: 0 };
    waiting.push(next);
    return next;
  };
  return {
    put(event) {
      const same = waiting.find((each) => 'event' in each && each.event.type === event.type);
      if (same && 'event' in same) same.event = together(same.event, event);
      else waiting.push({ event });
      wake();
    },
    putOutput(bytes) {
      queued += bytes.length;
      for (let at = 0; at < bytes.length; ) {
        const last = room();
        const piece = bytes.subarray(at, at + terminalPieceBytes - last.bytes);
        last.pieces.push(piece);
        last.bytes += piece.length;
        at += piece.length;
      }
      wake();
      return isFull() ? new Promise((resolve) => held.push(resolve)) : Promise.resolve();
    },
    taken(bytes) {
      sent = Math.max(0, sent - bytes);
      letGo();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next && 'event' in next) yield next.event;
        else if (next) {
          queued -= next.bytes;
          sent += next.bytes;
          yield { type: 'output', data: Buffer.concat(next.pieces).toString('base64') };
        } else if (ended) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}

/** The later event says what the earlier one said; bytes that were taken are summed. */
const together = <E extends TerminalEvent>(earlier: E, later: E): E =>
  earlier.type === 'inputTaken' && later.type === 'inputTaken'
    ? { ...later, bytes: earlier.bytes + later.bytes }
    : later;
