import { type Command, hostCommand, type Outcome } from '../command.ts';

/** Asks for the server's time zone, by which its cron runs. Any account may ask. */
export function readZone(): Command {
  return hostCommand(['sh', '-c', program], { needsRoot: false });
}

/** An IANA name, or an offset such as `+02:00`. Null for an answer of another form. */
export function zoneOf({ exitCode, stdout }: Outcome): string | null {
  const text = stdout.trim();
  const [, hours, minutes] = /^([+-]\d\d)(\d\d)$/.exec(text) ?? [];
  if (exitCode !== 0) return null;
  if (hours !== undefined && minutes !== undefined) return `${hours}:${minutes}`;
  return /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text) ? text : null;
}

const program = `zone=$(readlink -f /etc/localtime 2>/dev/null)
case $zone in
  */zoneinfo/*) printf '%s\\n' "\${zone##*/zoneinfo/}" ;;
  *) date +%z ;;
esac
`;
