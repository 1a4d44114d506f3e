import type { ApiDeps } from '../configuration.ts';
import type { BackupProof } from '../console/backups/backup-folder.ts';

const content = Buffer.from('a backup');

/** The launcher makes backups, so the api alone has none. This folder holds every file that was not removed. */
export function backupsInMemory(): ApiDeps['backups'] & {
  made: { file: string; recipient: string | null; prove: boolean }[];
  /** What the next test restore shows. */
  next: { proof: BackupProof };
} {
  const removed = new Set<string>();
  const made: { file: string; recipient: string | null; prove: boolean }[] = [];
  const next: { proof: BackupProof } = { proof: { state: 'proven' } };
  return {
    ...{ path: '/backups', usualRecipient: null, copies: null, made, next },
    async make(file, recipient, { prove }) {
      made.push({ file, recipient, prove });
      const proof = prove ? next.proof : null;
      return { rows: 3, bytes: content.length, sha256: 'a'.repeat(64), proof };
    },
    isIntact: async (_file, sha256) => sha256 === 'a'.repeat(64),
    has: async (file) => !removed.has(file),
    async open(file) {
      if (removed.has(file)) return null;
      return {
        bytes: content.length,
        chunks: (async function* () {
          yield content;
        })(),
      };
    },
    async remove(file) {
      removed.add(file);
    },
    async close() {},
  };
}
