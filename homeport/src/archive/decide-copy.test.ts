import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { testDatabase } from '@homeport/store/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/console-process.ts';
import { decideCopy } from './decide-copy.ts';

const secret = 'a secret that the operator keeps off the disk';

test.each([
  { given: { HOMEPORT_SECRET: secret }, isEncrypted: false, copied: null },
  { given: { HOMEPORT_SECRET: secret }, isEncrypted: true, copied: /\.age$/ },
  { given: {}, isEncrypted: false, copied: /\.tar\.gz$/ },
])(
  'a secret of the environment is written to no disk in clear: %o',
  async ({ given, isEncrypted, copied }) => {
    await using folder = await temporaryFolder();
    await using database = await testDatabase();
    const recipient = isEncrypted ? await identityToRecipient(await generateX25519Identity()) : null;
    const warnings: unknown[] = [];
    const decided = decideCopy({
      config: {
        dataFolder: folder.path,
        backups: { folder: folder.path, recipient, copyTo: null, beforeUpgrade: true },
      },
      environment: given,
      secrets: { secret },
      log: { info: () => undefined, warn: (...said: unknown[]) => void warnings.push(...said) },
    });
    await decided?.({ url: database.url, bytes: 1 });
    const upgrades = join(folder.path, 'upgrades');
    if (copied === null) {
      expect(existsSync(upgrades)).toBe(false);
      expect(warnings).toEqual([expect.stringContaining('Set HOMEPORT_BACKUP_RECIPIENT')]);
    } else {
      expect(await readdir(upgrades)).toEqual([expect.stringMatching(copied)]);
      expect(warnings).toEqual([]);
    }
  },
);

test('an operator who makes the copies themselves gets none', () => {
  const decided = decideCopy({
    config: {
      dataFolder: '/nowhere',
      backups: { folder: '/nowhere', recipient: null, copyTo: null, beforeUpgrade: false },
    },
    ...{ environment: {}, secrets: { secret } },
    log: { info: () => undefined, warn: () => undefined },
  });
  expect(decided).toBeUndefined();
});
