import { createHash } from 'node:crypto';
import type { TableProof } from './format.ts';

/** Counts and hashes the COPY text of one table while it passes. */
export function tableProof(): { add(bytes: Uint8Array): void; end(): TableProof } {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  return {
    add(chunk) {
      hash.update(chunk);
      bytes += chunk.length;
      // A line break within a value is written as `\n`, so that each row is one line.
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1;
    },
    end: () => ({ rows, bytes, sha256: hash.digest('hex') }),
  };
}
