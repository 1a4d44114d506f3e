import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Change } from './choose-change.ts';
import { createCssRewriter } from './css-rewriter.ts';
import { createHtmlRewriter } from './html-rewriter.ts';
import type { Place } from './response-headers.ts';

/** Where the bytes of an answer go. `write` gives false when the receiver wants to wait until `drained`. */
export type Sink = { write(chunk: Buffer): boolean; end(): void; fail(code: string): void };

/** A body on its way through decoding and rewriting. */
export type ChangedBody = {
  /** False: wait until `onDrain` was called. */
  write(chunk: Buffer): boolean;
  end(): void;
  /** The receiver takes bytes again. */
  resume(): void;
  destroy(): void;
};

/**
 * Decodes and rewrites a body. The sink hears nothing before the first decoded byte, so that an answer with a false coding can still
 * become an error.
 */
export function changeBody(change: Change, place: Place, sink: Sink, onDrain: () => void): ChangedBody {
  const rewriter = change.kind === 'css' ? createCssRewriter(place) : createHtmlRewriter(place, change);
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
      const text = rewriter.write(chunk.toString('latin1'));
      return text === '' || sink.write(Buffer.from(text, 'latin1'));
    }, true);
  const finish = () =>
    guarded(() => {
      const text = rewriter.end();
      if (text !== '') sink.write(Buffer.from(text, 'latin1'));
      sink.end();
    }, undefined);
  if (change.coding === 'identity')
    return { write: put, end: finish, resume: onDrain, destroy: () => undefined };

  const decoder: Transform = change.coding === 'gzip' ? createGunzip() : createBrotliDecompress();
  decoder.on('data', (chunk: Buffer) => {
    if (!put(chunk)) decoder.pause();
  });
  decoder.once('end', finish);
  decoder.once('error', () => sink.fail('bad_encoding'));
  decoder.on('drain', onDrain);
  return {
    write: (chunk) => decoder.write(chunk),
    end: () => void decoder.end(),
    resume: () => void decoder.resume(),
    destroy: () => void decoder.destroy(),
  };
}
