import { type Command, hostCommand, type Outcome } from '../command.ts';

/**
 * Starts long work that has to outlive the connection. The work runs in a session of its own on the server. It leaves its log and
 * exit code in a folder, where any later connection finds them. The folder is root's and private. Its parent has to be root's too:
 * in /tmp another account could make the folder first, as its own or as a link.
 */
export function startDetached(folder: string, words: readonly string[]): Command {
  return hostCommand(['sh', '-s', '--', folder, ...words], { needsRoot: true, stdin: starter });
}

/** Reads the state, and the log from a byte on. */
export function readDetached(folder: string, fromByte: number): Command {
  return hostCommand(['sh', '-s', '--', folder, String(fromByte)], { needsRoot: true, stdin: reader });
}

/** `lost`: the work neither runs nor left an exit code (the server rebooted, or somebody killed the work). */
export type DetachedState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'running'; readonly log: string }
  | { readonly kind: 'ended'; readonly exitCode: number; readonly log: string }
  | { readonly kind: 'lost'; readonly log: string };

/** The first line is the state, the rest is the log. Null for an answer of another form. */
export function readDetachedState(outcome: Outcome): DetachedState | null {
  const end = outcome.stdout.indexOf('\n');
  const state = outcome.stdout.slice(0, end);
  const log = outcome.stdout.slice(end + 1);
  if (outcome.exitCode !== 0 || end < 0) return null;
  if (state === 'absent') return { kind: 'absent' };
  if (state === 'running' || state === 'lost') return { kind: state, log };
  const ended = /^ended (\d+)$/.exec(state);
  return ended ? { kind: 'ended', exitCode: Number(ended[1]), log } : null;
}

/**
 * setsid(1) takes the work out of the connection's session, so the work survives the end of the connection. A second start while
 * the first runs does nothing. The exit code is renamed into place, so a reader never sees half of it.
 */
const starter = `set -eu
folder=$1
shift
umask 077
mkdir -p "$folder"
if [ -L "$folder" ] || [ ! -O "$folder" ]; then
  echo "$folder belongs to another account" >&2
  exit 1
fi
if [ -f "$folder/pid" ] && [ ! -f "$folder/exit" ] && kill -0 "$(cat "$folder/pid")" 2>/dev/null; then
  exit 0
fi
rm -f "$folder/exit" "$folder/log"
setsid sh -c '
  folder=$1
  shift
  echo $$ >"$folder/pid"
  code=0
  "$@" >"$folder/log" 2>&1 </dev/null || code=$?
  echo "$code" >"$folder/exit.new"
  mv "$folder/exit.new" "$folder/exit"
' detached "$folder" "$@" </dev/null >/dev/null 2>&1 &
waited=0
while [ ! -f "$folder/pid" ] && [ "$waited" -lt 50 ]; do
  sleep 0.1
  waited=$((waited + 1))
done
`;

const reader = `set -eu
folder=$1
from=$2
if [ ! -f "$folder/pid" ]; then
  echo absent
  exit 0
fi
if [ -f "$folder/exit" ]; then
  echo "ended $(cat "$folder/exit")"
elif kill -0 "$(cat "$folder/pid")" 2>/dev/null; then
  echo running
elif [ -f "$folder/exit" ]; then
  echo "ended $(cat "$folder/exit")"
else
  echo lost
fi
if [ -f "$folder/log" ]; then
  tail -c "+$((from + 1))" "$folder/log"
fi
`;
