import { type Command, hostCommand, type Outcome } from '../command.ts';

/**
 * Ends followed logs that nobody reads any more. A console that followed without a terminal left them: `dokku logs --tail` and
 * `builds:output current` notice a closed channel only at the app's next line. Needs root, because sudo's processes belong to root.
 */
export function endLeftReaders(): Command {
  return hostCommand(['sh', '-c', program], { needsRoot: true });
}

/** The number of followed logs that were ended. Null for an answer of another form. */
export function readEnded({ exitCode, stdout }: Outcome): number | null {
  const found = /^ended (\d{1,6})$/.exec(stdout.trim());
  return exitCode === 0 && found ? Number(found[1]) : null;
}

/**
 * A left reader is the leader of a session without a terminal (proc_pid_stat(5): after the name come state, parent, group,
 * session, terminal). Its words and environment are those of a console over SSH, and its parent is not an sshd any more. A reader
 * whose channel is open has its sshd for parent. So the readers of other consoles and of persons go on. The program ends the
 * whole session: TERM, and KILL two seconds later.
 */
const program = `set -u
members() {
  for stat in /proc/[0-9]*/stat; do
    IFS= read -r line 2>/dev/null <"$stat" || continue
    set -- \${line##*) }
    case " $leaders " in
      *" $4 "*) [ "$1" = Z ] || { pid=\${stat#/proc/}; echo "\${pid%/stat}"; } ;;
    esac
  done
}
leaders=
ended=0
for file in $(grep -lszxE -e '--tail|current' /proc/[0-9]*/cmdline); do
  folder=\${file%/cmdline}
  pid=\${folder#/proc/}
  IFS= read -r line 2>/dev/null <"$folder/stat" || continue
  set -- \${line##*) }
  [ "$4" = "$pid" ] && [ "$5" = 0 ] || continue
  IFS= read -r parent 2>/dev/null <"/proc/$2/comm" || continue
  case $parent in sshd*) continue ;; esac
  case $(tr '\\0' ' ' 2>/dev/null <"$file") in
    *dokku' logs '*' --num '*' --tail ' | *dokku' builds:output '*' current ') ;;
    *) continue ;;
  esac
  grep -qsz '^SSH_CONNECTION=' "$folder/environ" && grep -qszx 'LC_ALL=C' "$folder/environ" || continue
  leaders="$leaders $pid"
  ended=$((ended + 1))
done
if [ -n "$leaders" ]; then
  kill -s TERM $(members) 2>/dev/null
  left=20
  while [ "$left" -gt 0 ] && [ -n "$(members)" ]; do
    left=$((left - 1))
    sleep 0.1
  done
  remaining=$(members)
  [ -z "$remaining" ] || kill -s KILL $remaining 2>/dev/null
fi
echo "ended $ended"
`;

/**
 * Takes away the environments that ended readers left in /tmp. Dokku's plugn writes the variables of an app into a file for bash and
 * removes it at its own end (go-basher 5.1.8); a reader whose terminal is hung up does not get there. Needs root, because only the
 * owner and root may remove them. `owner` and `folder` are Dokku's own but in a test.
 */
export function removeLeftEnvironments(folder = '/tmp', owner = 'dokku'): Command {
  return hostCommand(['sh', '-c', environmentsProgram, 'left-environments', folder, owner], {
    needsRoot: true,
  });
}

/** The number of files that were removed. Null for an answer of another form. */
export function readRemoved({ exitCode, stdout }: Outcome): number | null {
  const found = /^removed (\d{1,6})$/.exec(stdout.trim());
  return exitCode === 0 && found ? Number(found[1]) : null;
}

/** A file is in use while a process has its name in the environment. In its first minute, that process may still be about to start. */
const environmentsProgram = `set -u
removed=0
for file in "$1"/bashenv.*; do
  case \${file##*/bashenv.} in '' | *[!0-9]*) continue ;; esac
  [ -f "$file" ] && [ ! -L "$file" ] || continue
  [ "$(stat -c %U -- "$file")" = "$2" ] || continue
  [ -n "$(find "$file" -prune -mmin +1)" ] || continue
  if grep -qsF -e "$file" /proc/[0-9]*/environ; then continue; fi
  rm -f -- "$file" && removed=$((removed + 1))
done
echo "removed $removed"
`;
