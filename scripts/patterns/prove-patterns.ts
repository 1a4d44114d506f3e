// `npx tsx scripts/patterns/prove-patterns.ts`: proves the patterns without a proof, and writes the file of proofs, without those of patterns
// that the source no longer has. Ends with an error, and writes nothing, when a pattern is slow.
import { writeFileSync } from 'node:fs';
import { collectPatterns } from './collect-patterns.ts';
import {
  keptProofs,
  patternsToProve,
  proofOf,
  proofsFile,
  unproven,
  whySlow,
  written,
} from './linear-patterns.ts';

const patterns = patternsToProve(collectPatterns().patterns);
const fresh = unproven(patterns, keptProofs());
let slow = 0;
for (const pattern of fresh) {
  const why = await whySlow(pattern);
  if (why === undefined) continue;
  slow += 1;
  console.error(`${written(pattern)} in ${pattern.places.join(', ')}: ${why}`);
}
if (slow > 0) process.exit(1);
writeFileSync(proofsFile, `${JSON.stringify(patterns.map(proofOf).toSorted(), undefined, 2)}\n`);
console.log(`Proved ${fresh.length} of ${patterns.length} patterns.`);
process.exit(0);
