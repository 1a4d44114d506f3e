import { terminalOutputBytes, terminalPieceBytes } from '@homeport/contract/terminals/facts';
import type { TerminalEvent } from '@homeport/contract/terminals/schema';

/** What waits for the page of one terminal, in its order. */
export type Outbox = AsyncIterable<TerminalEvent> & {
  put(event: TerminalEvent): void;
  /** Resolves when the page has so much of the output that more may follow. */
  putOutput(bytes: Buffer): Promise<void>;
  /** The page has drawn so many bytes. */
  taken(bytes: number): void;
  /** The iteration ends behind what waits now. */
  end(): void;
};

/** The server is held up by output that the page has not drawn, and by nothing that the page says of bytes that it never got. */
export function createOutbox(signal: AbortSignal): Outbox {
  const waiting: TerminalEvent[] = [];
  const held: (() => void)[] = [];
  let undrawn = 0;
  let ended = false;
  let wake = () => {};
  const letGo = () => {
    while (undrawn <= terminalOutputBytes || signal.aborted) {
      const next = held.shift();
      if (!next) return;
      next();
    }
  };
  signal.addEventListener(
    'abort',
    () => {
      letGo();
      wake();
    },
    { once: true },
  );
  const put = (event: TerminalEvent) => {
    waiting.push(event);
    wake();
  };
  return {
    put,
    putOutput(bytes) {
      undrawn += bytes.length;
      for (let at = 0; at < bytes.length; at += terminalPieceBytes)
        put({
          type: 'output',
          data: bytes.toString('base64', at, Math.min(bytes.length, at + terminalPieceBytes)),
        });
      if (undrawn <= terminalOutputBytes || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => held.push(resolve));
    },
    taken(bytes) {
      undrawn = Math.max(0, undrawn - bytes);
      letGo();
    },
    end() {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next) yield next;
        else if (ended) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
