import { type DumpOrigin, dumpBytes } from '@homeport/contract/databases/facts';
import { countsText, expectedText } from '@homeport/contract/databases/restore-test-text';
import type { RestoreTest } from '@homeport/contract/databases/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { formatBytes } from '../../../ui/text/format.ts';

export const originTexts: Record<DumpOrigin, string> = {
  made: 'Made here',
  before_restore: 'Kept before a restore',
  uploaded: 'Uploaded',
  scheduled: 'Schedule',
};

/** Why a file is not sent. null: it may be. */
export function uploadRefusal(bytes: number, freeBytes: number | null): string | null {
  if (bytes === 0) return 'The file is empty.';
  if (bytes > dumpBytes) return `A dump has at most ${formatBytes(dumpBytes)}.`;
  if (freeBytes !== null && bytes > freeBytes)
    return `The server has ${formatBytes(freeBytes)} free, and the file has ${formatBytes(bytes)}. Nothing was sent.`;
  return null;
}

/** The newest test whose dump came back, and the newest that failed after it. */
export function lastTests(tests: readonly RestoreTest[]): {
  proven: RestoreTest | null;
  failed: RestoreTest | null;
} {
  const at = tests.findIndex(({ outcome }) => outcome === 'same' || outcome === 'restored');
  const later = at < 0 ? tests : tests.slice(0, at);
  return { proven: tests[at] ?? null, failed: later[0] ?? null };
}

/** Why a test did not prove its dump. */
export function failedTestText(
  type: DatabaseTypeName,
  { outcome, found, expected, failure }: RestoreTest,
): string {
  if (outcome !== 'different' || !found || !expected) return failure;
  return `It held ${countsText(type, found)}. When it was made, the database held ${expectedText(type, expected)}.`;
}
