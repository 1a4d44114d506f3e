import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';
import { asAnotherMachine } from '../another-machine.ts';

/** A server whose owner attacks the console: it accepts the login and gives each command a harmful answer. */
export type HostileServer = AsyncDisposable & {
  sshd: Sshd;
  publicKeyLine: string;
  signer: ReturnType<typeof signerFor>;
};

/** The names that `apps:list` prints. An import makes records of these apps, and each has a log to follow. */
export const apps = Array.from({ length: 40 }, (_, index) => `poison-${index}`);

/**
 * Answers each command. One word identifies a command, whatever its other words are. `ufw` gets the line on which a quartic pattern
 * took 21 s, a log gets a flood, an installation gets a line that never ends. Every other command gets a failure with one line of
 * 100,000 backticks.
 */
const program = `#!/bin/sh
${asAnotherMachine}
case "$SSH_ORIGINAL_COMMAND" in
  *apps:list*) printf '%s\\n' '=====> My Apps' ${apps.join(' ')} ;;
  *ufw*) head -c 820 /dev/zero | tr '\\0' ' '; echo '!' ;;
  *' logs '*|*logs:*) exec yes 'poison poison poison poison poison poison poison poison' ;;
  *setup*|*install*|*apt*) exec timeout 60 cat /dev/zero ;;
  *) head -c 100000 /dev/zero | tr '\\0' '\`' >&2; exit 1 ;;
esac
`;

export async function startHostileServer(): Promise<HostileServer> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-hostile-'));
  await chmod(folder, 0o755);
  const path = join(folder, 'answer');
  await writeFile(path, program, { mode: 0o755 });
  const { publicKeyLine, privateKeyPem } = makeKey();
  const sshd = await startSshd({
    authorizedKeys: [publicKeyLine],
    config: { ForceCommand: path, MaxSessions: 64, LogLevel: 'INFO' },
  });
  return {
    sshd,
    publicKeyLine,
    signer: signerFor(privateKeyPem),
    async [Symbol.asyncDispose]() {
      await sshd.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
