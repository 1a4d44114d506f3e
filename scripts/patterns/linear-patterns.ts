import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { z } from 'zod';
import { root } from '../install.mjs';
import type { Pattern } from './collect-patterns.ts';
import { excusedPatterns } from './excused-patterns.ts';

// Runs recheck’s JavaScript in a thread of its own. Its native programs and its jar are not run.
process.env.RECHECK_BACKEND = 'worker';

/** The slowest pattern takes 4 seconds. The bound is for busy machines. */
const timeout = 60_000;
/** The seed makes recheck try the same random texts in each run. */
const options = { timeout, randomSeed: 1 };

export const written = ({ source, flags }: Pattern) => `/${source}/${flags}`;

/** Those of the program’s patterns that have to take linear time. */
export function patternsToProve(patterns: readonly Pattern[]): Pattern[] {
  const excused = new Set(excusedPatterns.map(({ pattern }) => pattern));
  return patterns.filter((pattern) => !excused.has(written(pattern)));
}

/** Undefined for a pattern that takes linear time, else what is wrong with it. */
export async function whySlow({
  source,
  flags,
}: Pick<Pattern, 'source' | 'flags'>): Promise<string | undefined> {
  const verdict = await check(source, flags, options);
  if (verdict.status === 'safe') return undefined;
  return verdict.status === 'vulnerable' ? verdict.complexity.summary : verdict.status;
}

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'node_modules/recheck/package.json'), 'utf8')));

/** Names a proof. Another version of recheck may decide otherwise, so each version proves all patterns anew. */
export const proofOf = (pattern: Pick<Pattern, 'source' | 'flags'>) =>
  createHash('sha256')
    .update(JSON.stringify([version, pattern.source, pattern.flags]))
    .digest('hex');

/** Made by `npx tsx scripts/patterns/prove-patterns.ts`. */
export const proofsFile = join(root, 'scripts/patterns/proven-patterns.json');

/** The proofs that the repository keeps. */
export function keptProofs(): Set<string> {
  return new Set(z.array(z.string()).parse(JSON.parse(readFileSync(proofsFile, 'utf8'))));
}

/** The patterns that have no proof among these. */
export const unproven = (patterns: readonly Pattern[], proofs: ReadonlySet<string>) =>
  patterns.filter((pattern) => !proofs.has(proofOf(pattern)));
