import type { ApiDeps } from '../configuration.ts';

const content = Buffer.from('a backup');

/** The launcher makes backups, so the api alone has none. This folder holds every file that was not removed. */
export function backupsInMemory(): ApiDeps['backups'] & {
  made: { file: string; recipient: string | null }[];
} {
  const removed = new Set<string>();
  const made: { file: string; recipient: string | null }[] = [];
  return {
    ...{ path: '/backups', usualRecipient: null, made },
    async make(file, recipient) {
      made.push({ file, recipient });
      return { rows: 3, bytes: content.length, sha256: 'a'.repeat(64) };
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
