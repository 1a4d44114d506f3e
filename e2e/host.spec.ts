import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeKey } from '@homeport/ssh/testing';
import { expect, test } from '@playwright/test';
import { startHost } from './fixtures/host.ts';

/** Tests the stand-in for a server alone, without a page. */
test('the host lets an authorized key in and answers as Dokku', async () => {
  const host = await startHost();
  const folder = await mkdtemp(join(tmpdir(), 'homeport-login-'));
  try {
    const key = makeKey();
    const identity = join(folder, 'key');
    await writeFile(identity, key.privateKeyPem, { mode: 0o600 });
    const ask = () =>
      promisify(execFile)('ssh', [
        ...['-F', 'none', '-i', identity, '-o', 'IdentitiesOnly=yes', '-o', 'BatchMode=yes'],
        ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
        ...['-p', String(host.port), `${host.user}@${host.ip}`, 'dokku version'],
      ]);
    await expect(ask()).rejects.toThrow(/Permission denied/);
    await host.authorize(key.publicKeyLine);
    expect((await ask()).stdout).toMatch(/dokku version \d+\.\d+\.\d+/);
  } finally {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
