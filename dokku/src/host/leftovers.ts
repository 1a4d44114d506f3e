import { databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import { type Command, hostCommand, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import type { ServiceName } from '../names/service-name.ts';

/** EX_TEMPFAIL of sysexits.h. */
const stillRunning = 75;

/** `ran`: the first command that was found running; null when none ran. `ended`: no such command runs any more. */
export type Leftovers = { readonly ran: string | null; readonly ended: boolean };

/**
 * Waits until no command that changes this app or database, or installs this plugin, runs on the server any more. A command whose connection was lost (its console was
 * killed, the network failed) goes on without a reader, at least until its next output. A repeated command would meanwhile meet a
 * lock, a taken name, or half an app.
 * Any account may ask: /proc/<pid>/cmdline is readable to all and holds the words with a NUL after each (proc(5)).
 */
export function waitForLeftovers(name: AppName | ServiceName, atMostSeconds: number): Command {
  return hostCommand(['sh', '-c', program, 'homeport', name, String(atMostSeconds)], { needsRoot: false });
}

/** Null for an answer of another form. */
export function readLeftovers({ exitCode, stdout }: Outcome): Leftovers | null {
  if (exitCode !== 0 && exitCode !== stillRunning) return null;
  const ran = stdout.trim();
  return { ran: ran === '' ? null : ran, ended: exitCode === 0 };
}

/** The commands that change a database, of every service plugin. */
const services = `(${databaseTypeNames.join('|')}):(create|destroy|link|unlink|promote|expose|unexpose|start|pause|restart|export|import)|homeport:(dump|restore|rollback|site-write)`;

/**
 * Commands on others do not count. Commands that only read do not count either, because somebody may follow the app’s log.
 * Neither this program nor its grep has a command as a separate word, so the program never waits for itself.
 */
const program = `name=$1
left=$(($2 * 5))
changing='(apps:(create|destroy|rename)|ps:(start|stop|restart|rebuild|scale)|git:(sync|from-archive)|cron:(suspend|resume)|(resource|config|storage|ports|domains|acl|letsencrypt|checks):(limit|set|unset|import|create|ensure-directory|mount|unmount|add|remove|enable|disable|skip|clear|destroy)|plugin:install|${services})'
told=
while :; do
  named=$(grep -lszxF -e "$name" /proc/[0-9]*/cmdline)
  [ -n "$named" ] || exit 0
  busy=$(grep -lszxE -e "$changing" $named)
  [ -n "$busy" ] || exit 0
  if [ -z "$told" ]; then
    told=$(grep -hsazxE -e "$changing" $busy | tr '\\0' '\\n' | head -n 1)
    [ -z "$told" ] || printf '%s\\n' "$told $name"
  fi
  [ "$left" -gt 0 ] || exit ${stillRunning}
  left=$((left - 1))
  sleep 0.2
done
`;
