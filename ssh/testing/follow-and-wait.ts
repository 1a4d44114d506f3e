import { readFileSync } from 'node:fs';
import { openConnection } from '../src/index.ts';
import { signerFor } from './test-keys.ts';

/**
 * Follows a command until it is killed, as a console does. `followed-command.test.ts` kills it and looks at the server.
 * Arguments: host, port, account, the pinned host key, the file of the private key, and the command's words.
 */
async function main([
  host = '',
  port = '',
  username = '',
  pinnedHostKey = '',
  keyFile = '',
  ...argv
]: string[]): Promise<void> {
  const connection = await openConnection({
    host,
    port: Number(port),
    username,
    pinnedHostKey,
    credential: { method: 'agent', signer: signerFor(readFileSync(keyFile, 'utf8')) },
  });
  await connection.exec({
    argv,
    deadlineMs: 60_000,
    follows: true,
    onStdout: (text) => void process.stdout.write(text),
  });
}

void main(process.argv.slice(2));
