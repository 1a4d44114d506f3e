import { expect, test } from 'vitest';
import { keyLogin, makeKey, signerFor, startSshd } from '../../testing/index.ts';
import { CommandError, openConnection } from '../index.ts';

const key = makeKey();

test('waits for a channel on a busy server without gathering listeners', async () => {
  await using sshd = await startSshd({ authorizedKeys: [key.publicKeyLine], config: { MaxSessions: 1 } });
  const warnings: string[] = [];
  const onWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
  process.on('warning', onWarning);
  const connection = await openConnection(keyLogin(sshd, signerFor(key.privateKeyPem)));
  try {
    const cancel = new AbortController();
    // The command holds the only channel for more than twenty tries to end it, and then ends by itself.
    const failure = await connection
      .exec({
        argv: ['sh', '-c', 'echo up; sleep 4.5'],
        deadlineMs: 30_000,
        signal: cancel.signal,
        onStdout: () => cancel.abort(),
      })
      .catch((error: unknown) => (error instanceof CommandError ? error.failure : error));
    expect(failure).toMatchObject({ code: 'cancelled', remoteEnded: true });
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', onWarning);
    connection.close();
  }
});
