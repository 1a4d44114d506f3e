import { type Command, hostCommand, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';

/** EX_TEMPFAIL of sysexits.h. */
const stillRunning = 75;

/** `ran`: the first of what was waited for; null where nothing ran. `ended`: nothing of it runs any more. */
export type Leftovers = { readonly ran: string | null; readonly ended: boolean };

/**
 * Waits until no command that changes this app runs on the server any more. A command whose connection went away (its
 * console was killed, the network broke) goes on without a reader, at least until it next prints something. Whoever
 * repeats it meanwhile meets a lock, a name that is taken, or half an app.
 * Any account may ask: /proc/<pid>/cmdline is readable to all and holds the words with a NUL after each (proc(5)).
 */
export function waitForLeftovers(app: AppName, atMostSeconds: number): Command {
  return hostCommand(['sh', '-c', program, 'homeport', app, String(atMostSeconds)], { needsRoot: false });
}

/** Null: the answer has another form. */
export function readLeftovers({ exitCode, stdout }: Outcome): Leftovers | null {
  if (exitCode !== 0 && exitCode !== stillRunning) return null;
  const ran = stdout.trim();
  return { ran: ran === '' ? null : ran, ended: exitCode === 0 };
}

/**
 * Names of other apps do not count, nor do commands that only read: somebody may be following the app’s log. Neither
 * this program nor its grep has one of the commands as a word of its own, so it never waits for itself.
 */
const program = `app=$1
left=$(($2 * 5))
changing='(apps:(create|destroy|rename)|ps:(start|stop|restart|rebuild|scale)|(resource|config|storage|ports|domains|acl|letsencrypt):(limit|set|unset|import|create|ensure-directory|mount|unmount|add|remove|enable))'
told=
while :; do
  named=$(grep -lszxF -e "$app" /proc/[0-9]*/cmdline)
  [ -n "$named" ] || exit 0
  busy=$(grep -lszxE -e "$changing" $named)
  [ -n "$busy" ] || exit 0
  if [ -z "$told" ]; then
    told=$(grep -hsazxE -e "$changing" $busy | tr '\\0' '\\n' | head -n 1)
    [ -z "$told" ] || printf '%s\\n' "$told $app"
  fi
  [ "$left" -gt 0 ] || exit ${stillRunning}
  left=$((left - 1))
  sleep 0.2
done
`;
