import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { type Turn, WaitingPieces } from '../shares/turns.ts';
import type { Change } from './choose-change.ts';
import { createCssRewriter } from './css-rewriter.ts';
import { createHtmlRewriter } from './html-rewriter.ts';
import type { Place } from './response-headers.ts';

/**
 * Where an answer goes. `begin` comes first and once, with the length of the changed body where it is known. A text has a character for
 * each byte (latin1). `write` gives false when the receiver wants to wait until `drained`.
 */
export type Sink = {
  begin(length: number | null): void;
  write(chunk: Buffer | string): boolean;
  end(): void;
  fail(code: string): void;
};

/** A body on its way through decoding and rewriting. */
export type ChangedBody = {
  /** The chunk's memory is free for other bytes afterwards. False: wait until `onDrain` was called. */
  write(chunk: Buffer): boolean;
  end(): void;
  /** The receiver takes bytes again. */
  resume(): void;
  destroy(): void;
};

/** What is changed in one piece where links are: some 0.5 ms. */
const linksPieceBytes = 8_192;
/** A snippet has its place at the beginning of most pages. The rest then passes as the bytes that it is. */
const snippetPieceBytes = 2_048;

/**
 * @param length of the body before the change; null where it is not known
 * @param shortText up to so many bytes go to the sink as a text
 * @param turn the loop's time of the site's account: a body may be much longer than what came of it
 */
export type BodyFacts = { length: number | null; shortText: number; turn: Turn };

/**
 * Decodes and rewrites a body. The sink hears nothing before the first decoded byte, so that an answer with a false coding can still
 * become an error.
 */
export function changeBody(
  change: Change,
  place: Place,
  { length, shortText, turn }: BodyFacts,
  sink: Sink,
  onDrain: () => void,
): ChangedBody {
  const rewriter = change.kind === 'css' ? createCssRewriter(place) : createHtmlRewriter(place, change);
  const hasLinks = change.kind === 'css' || change.links;
  const pieceBytes = hasLinks ? linksPieceBytes : snippetPieceBytes;
  const takenAtOnce = hasLinks ? linksPieceBytes : Number.POSITIVE_INFINITY;
  let begun = false;
  /** Of the body, what the rewriter was given so far. It may hold the beginning of a tag back until the next chunk. */
  let read = 0;
  const begin = (known: number | null) => {
    if (!begun) sink.begin(known);
    begun = true;
  };
  // The decoder calls these, outside of everybody who could catch an error.
  const guarded = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      sink.fail('rewriting_failed');
      return otherwise;
    }
  };
  const put = (chunk: Buffer) =>
    guarded(() => {
      let text = '';
      let at = 0;
      while (at < chunk.length && !rewriter.isDone()) {
        const end = Math.min(at + pieceBytes, chunk.length);
        text += rewriter.write(chunk.toString('latin1', at, end));
        at = end;
      }
      read += at;
      if (text === '' && at === chunk.length) return true;
      begin(length !== null && rewriter.isDone() ? length - read + text.length : null);
      if (chunk.length <= shortText) return sink.write(text + chunk.toString('latin1', at));
      const wants = text === '' || sink.write(Buffer.from(text, 'latin1'));
      return at === chunk.length ? wants : sink.write(Buffer.from(chunk.subarray(at)));
    }, true);
  const finish = () =>
    guarded(() => {
      const text = rewriter.end();
      begin(null);
      if (text !== '') sink.write(Buffer.from(text, 'latin1'));
      sink.end();
    }, undefined);
  let isWanted = true;
  let readMore = onDrain;
  const readOn = () => {
    if (isWanted && pieces.isEmpty) readMore();
  };
  // What comes in is held back where it is read.
  const pieces = new WaitingPieces(turn, readOn, () => undefined);
  const changed = (piece: Buffer) => () => {
    if (!put(piece)) isWanted = false;
  };
  /** False: not everything was taken, or the receiver wants to wait. */
  const takeAll = (chunk: Buffer, kept: (piece: Buffer) => Buffer) => {
    for (let at = 0; at < chunk.length; at += takenAtOnce) {
      const piece = chunk.subarray(at, at + takenAtOnce);
      pieces.take(changed(piece), () => changed(kept(piece)), piece.length);
    }
    return isWanted && pieces.isEmpty;
  };
  const end = () => pieces.end(finish);
  const resume = () => {
    isWanted = true;
    readOn();
  };
  if (change.coding === 'identity')
    return { write: (chunk) => takeAll(chunk, Buffer.from), end, resume, destroy: () => undefined };

  const decoder: Transform = change.coding === 'gzip' ? createGunzip() : createBrotliDecompress();
  readMore = () => void decoder.resume();
  decoder.on('data', (chunk: Buffer) => {
    if (!takeAll(chunk, (piece) => piece)) decoder.pause();
  });
  decoder.once('end', end);
  decoder.once('error', () => sink.fail('bad_encoding'));
  decoder.on('drain', onDrain);
  return {
    write: (chunk) => decoder.write(Buffer.from(chunk)),
    end: () => void decoder.end(),
    resume,
    destroy: () => void decoder.destroy(),
  };
}
