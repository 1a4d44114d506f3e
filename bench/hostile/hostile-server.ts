import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';

/** A server whose owner wants to hurt the console: it accepts the login and answers each command with poison. */
export type HostileServer = AsyncDisposable & {
  sshd: Sshd;
  publicKeyLine: string;
  signer: ReturnType<typeof signerFor>;
};

/** Names that `apps:list` prints; an import makes records of them, and each has a log to follow. */
const apps = Array.from({ length: 40 }, (_, index) => `poison-${index}`);

/**
 * A hostile server is another machine. The attacker's low priority does not reach what sshd starts: sshd makes a session of
 * each login and of each command, and Linux shares the processor between sessions first (sched(7), autogroup). So the
 * command lowers its own session, and the one of its login.
 */
const asAnotherMachine = `for process in $$ $PPID; do
  { [ -w "/proc/$process/autogroup" ] && echo 19 >"/proc/$process/autogroup"; } 2>/dev/null
done`;

/**
 * What each command answers. The commands are recognised by a word of theirs, whatever stands around them: `ufw` with the
 * line that took a quartic pattern 21 s, a log with a flood, an installation with a line that never ends, and everything
 * else with a failure whose one line holds 100,000 backticks.
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
