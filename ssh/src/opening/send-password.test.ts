import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { copiesInMemory, startPasswordServer } from '../../testing/index.ts';

const program = fileURLToPath(new URL('../../testing/password-process.ts', import.meta.url));

it.skipIf(process.platform !== 'linux')(
  'leaves no copy of the password in the memory of the process that logged in',
  async () => {
    const password = randomBytes(18).toString('base64url');
    const word = randomBytes(18).toString('base64url');
    await using server = await startPasswordServer({ username: 'ines', password });
    const { host, port, hostKeyFingerprint } = server;
    const child = spawn(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', program, host, String(port), 'ines', hostKeyFingerprint, word],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    try {
      child.stdin.end(password);
      await once(child.stdout, 'data');
      const found = copiesInMemory(child.pid ?? 0, { password, word });
      // The process keeps this word on purpose, which proves that the search works.
      expect(found.word).toBeGreaterThan(0);
      expect(found.password).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  },
  120_000,
);
