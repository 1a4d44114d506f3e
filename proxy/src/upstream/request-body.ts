import type { IncomingMessage } from 'node:http';
import { type Turn, WaitingPieces } from '../shares/turns.ts';

/** Where a request's body goes. `write` gives false when it wants to wait until `goOn` is called. */
export type BodySink = { write(chunk: Buffer): boolean; end(): void };

/** A request's body on its way, and when its last byte came. */
export type RequestBody = {
  /** Bytes, as the head tells them; null where it does not. */
  readonly length: number | null;
  /** In milliseconds of the monotonic clock. */
  readonly lastByteAt: number;
  /** When the upstream asked for bytes last. */
  readonly wantedAt: number;
  /** Every byte has come. */
  readonly complete: boolean;
  /** Hands the bytes on, at the sink's pace. Until then nothing is read. */
  flowInto(sink: BodySink): void;
  /** The sink takes bytes again. */
  goOn(): void;
  /** Nobody wants the rest. It is read and dropped, so that the visitor's connection can go on. */
  drop(): void;
};

/** True when the head announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Hands the visitor's body on. The visitor's connection outlives a failure of the upstream, because the answer goes over it.
 *
 * @param turn the loop's time of the site's account
 * @param tooLarge called once when more than `bodyBytes` came
 */
export function openBody(
  req: IncomingMessage,
  { bodyBytes, turn }: { bodyBytes: number | null; turn: Turn },
  tooLarge: () => void,
): RequestBody {
  const length = req.headers['content-length'];
  const now = performance.now();
  let seen = 0;
  let sink: BodySink | null = null;
  let isWanted = false;
  const readOn = () => {
    if (isWanted && pieces.isEmpty) req.resume();
  };
  const pieces = new WaitingPieces(turn, readOn, () => void req.pause());
  const body = {
    length: length === undefined ? null : Number(length),
    lastByteAt: now,
    wantedAt: now,
    complete: false,
    flowInto(to: BodySink) {
      sink = to;
      if (!body.complete) pieces.begin();
      if (body.complete) to.end();
      else body.goOn();
    },
    goOn() {
      body.wantedAt = performance.now();
      isWanted = true;
      readOn();
    },
    drop() {
      sink = null;
      pieces.stop();
      isWanted = true;
      readOn();
    },
  };
  const handOn = (chunk: Buffer) => () => {
    if (sink === null || sink.write(chunk)) return;
    isWanted = false;
    req.pause();
  };
  req.on('data', (chunk: Buffer) => {
    body.lastByteAt = performance.now();
    seen += chunk.length;
    if (bodyBytes !== null && seen > bodyBytes) {
      // The answer closes the connection.
      sink = null;
      tooLarge();
    } else if (sink !== null && !pieces.take(handOn(chunk), () => handOn(chunk), chunk.length)) req.pause();
  });
  // A listener makes the bytes flow, and nobody takes them yet.
  req.pause();
  req.once('close', () => pieces.stop());
  req.once('end', () => {
    body.complete = true;
    pieces.end(() => sink?.end());
  });
  return body;
}
