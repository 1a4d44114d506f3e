import { setTimeout as wait } from 'node:timers/promises';
import { quoteArgv } from '@homeport/contract/quoting';
import type { Client } from 'ssh2';
import { isTooManySessions } from './open-channel.ts';

/**
 * Ends every process of the session that `$1` leads: TERM, at least two seconds to tidy up, then KILL. The program goes by
 * session and not by process group, because timeout(1) and a shell's job control make groups of their own. Exits 0 when no
 * process is left. The account may not signal processes of another user, so the words after `$1` do that (`sudo -n`). Without
 * such words the program does not ask sudo, because the server's log would record a refused attempt. A process of sudo itself
 * ends with the command that it runs. The program reads /proc/<pid>/stat (proc_pid_stat(5): after the name come state, parent,
 * group, session), so it needs no ps. It measures time by /proc/uptime, because one look at a busy host can take long.
 */
const endSession = `set -u
leader=$1
shift
members() {
  for stat in /proc/[0-9]*/stat; do
    IFS= read -r line 2>/dev/null <"$stat" || continue
    set -- \${line##*) }
    [ "$4" = "$leader" ] && [ "$1" != Z ] && [ "$1" != X ] && { pid=\${stat#/proc/}; echo "\${pid%/stat}"; }
  done
}
send() {
  signal=$1
  shift
  refused=
  for pid in $(members); do
    kill -s "$signal" "$pid" 2>/dev/null || { [ -d "/proc/$pid" ] && refused="$refused $pid"; }
  done
  [ "$#" -eq 0 ] || [ -z "$refused" ] || "$@" kill -s "$signal" $refused 2>/dev/null
}
look_at_clock() {
  IFS=' .' read -r seconds _ </proc/uptime
}
gone_within() {
  look_at_clock
  until=$((seconds + $1 + 1))
  while [ -n "$(members)" ]; do
    look_at_clock
    [ "$seconds" -lt "$until" ] || return 1
    sleep 0.1
  done
}
send TERM "$@"
gone_within 2 && exit 0
send KILL "$@"
gone_within 1
`;

/** The program takes five seconds at most. The rest of the time is for waiting until the server allows one more channel. */
const answersWithinMs = 10_000;
const retryAfterMs = 200;

/**
 * True when the server confirms that nothing of the session led by `pid` runs any more. `wayToEnd`: words before kill(1) for
 * processes of other users. Never rejects.
 */
export async function endRemoteSession(
  client: Client,
  pid: number,
  wayToEnd: readonly string[],
): Promise<boolean> {
  const line = quoteArgv(['sh', '-c', endSession, 'end-session', String(pid), ...wayToEnd]);
  const givenUpAt = performance.now() + answersWithinMs;
  for (let left = answersWithinMs; left > 0; left = givenUpAt - performance.now()) {
    const answer = await ask(client, line, left);
    if (answer !== 'no_channel') return answer === 'ended';
    await wait(retryAfterMs);
  }
  return false;
}

function ask(client: Client, line: string, withinMs: number): Promise<'ended' | 'unknown' | 'no_channel'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('unknown'), withinMs).unref();
    const settle = (answer: 'ended' | 'unknown' | 'no_channel') => {
      clearTimeout(timer);
      resolve(answer);
    };
    try {
      client.exec(line, (error, channel) => {
        if (error) return settle(isTooManySessions(error) ? 'no_channel' : 'unknown');
        channel.on('error', () => settle('unknown'));
        channel.on('close', (code?: number | null) => settle(code === 0 ? 'ended' : 'unknown'));
        channel.resume();
        channel.stderr.resume();
        channel.end();
      });
    } catch {
      // ssh2 throws when the connection has ended. The server then cannot answer.
      settle('unknown');
    }
  });
}
