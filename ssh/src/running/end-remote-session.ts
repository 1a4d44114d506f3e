import { setTimeout as wait } from 'node:timers/promises';
import { quoteArgv } from '@homeport/contract/quoting';
import type { Client } from 'ssh2';
import { isTooManySessions } from './open-channel.ts';

/**
 * Ends every process of the session that `$1` leads: TERM, up to two seconds to tidy up, then KILL. The program goes by session
 * and not by process group, because timeout(1) and a shell's job control make groups of their own. Exits 0 when no process is
 * left. The account may not end a process under sudo, so sudo ends that one. The program reads /proc/<pid>/stat
 * (proc_pid_stat(5): after the name come state, parent, group, session), so it needs no ps.
 */
const endSession = `set -u
leader=$1
members() {
  for stat in /proc/[0-9]*/stat; do
    IFS= read -r line 2>/dev/null <"$stat" || continue
    set -- \${line##*) }
    [ "$4" = "$leader" ] && [ "$1" != Z ] && [ "$1" != X ] && { pid=\${stat#/proc/}; echo "\${pid%/stat}"; }
  done
}
send() {
  for pid in $(members); do
    kill -s "$1" "$pid" 2>/dev/null || { [ -d "/proc/$pid" ] && sudo -n kill -s "$1" "$pid" 2>/dev/null; } || :
  done
}
gone_within() {
  tries=0
  while [ -n "$(members)" ]; do
    [ "$tries" -ge "$1" ] && return 1
    sleep 0.1
    tries=$((tries + 1))
  done
}
send TERM
gone_within 20 && exit 0
send KILL
gone_within 10
`;

/** The program takes three seconds at most. The rest of the time is for waiting until the server allows one more channel. */
const answersWithinMs = 10_000;
const retryAfterMs = 200;

/** True when the server confirms that nothing of the session led by `pid` runs any more. Never rejects. */
export async function endRemoteSession(client: Client, pid: number): Promise<boolean> {
  const line = quoteArgv(['sh', '-c', endSession, 'end-session', String(pid)]);
  const giveUp = AbortSignal.timeout(answersWithinMs);
  while (!giveUp.aborted) {
    const answer = await ask(client, line, giveUp);
    if (answer !== 'no_channel') return answer === 'ended';
    await wait(retryAfterMs);
  }
  return false;
}

function ask(client: Client, line: string, giveUp: AbortSignal): Promise<'ended' | 'unknown' | 'no_channel'> {
  return new Promise((resolve) => {
    giveUp.addEventListener('abort', () => resolve('unknown'), { once: true });
    try {
      client.exec(line, (error, channel) => {
        if (error) return resolve(isTooManySessions(error) ? 'no_channel' : 'unknown');
        channel.on('error', () => resolve('unknown'));
        channel.on('close', (code?: number | null) => resolve(code === 0 ? 'ended' : 'unknown'));
        channel.resume();
        channel.stderr.resume();
        channel.end();
      });
    } catch {
      // ssh2 throws when the connection has ended. The server then cannot answer.
      resolve('unknown');
    }
  });
}
