import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { shellWords } from './shell-words.ts';

/**
 * A shell in a running container (`web.1`), for a terminal. Only words without any sign of a shell's language: for images of herokuish,
 * its `/exec` reads the words once more as shell text.
 */
export function shell(app: AppName, process: string): Command {
  return dokku('enter', app, process, ...shellWords);
}

/**
 * What a terminal types first, for a screen that shows nothing before the mark: bash in place of sh where there is one, then the mark
 * with the shell's session, which Linux's /proc/<pid>/stat names (proc_pid_stat(5)), and with Dokku's name of the container. Bash ends by
 * itself when a console that was lost left it without a reader.
 */
export function openingLines(mark: string, idleSeconds: number): string {
  const [name = '', secret = ''] = mark.split('-');
  return [
    ' command -v bash >/dev/null 2>&1 && HISTCONTROL=ignorespace exec bash -l',
    ` TMOUT=${idleSeconds}; read -r l </proc/$$/stat; set -- \${l##*) }; printf '%s-%s %s %s\\n' ${name} ${secret} "$4" "$DYNO"; set --; unset l`,
    '',
  ].join('\n');
}

/** Where the shell of a terminal runs: the number of its session in the container, and Dokku's name of the container. */
export type ShellPlace = { session: number; dyno: string };

/** Reads the line of the mark. Null: the line says no place. */
export function readPlace(line: string): ShellPlace | null {
  const [, session = '', dyno = ''] = line.trim().split(' ');
  if (!/^[1-9]\d{0,9}$/.test(session)) return null;
  return { session: Number(session), dyno: /^[A-Za-z0-9_.-]{1,100}$/.test(dyno) ? dyno : '' };
}

/**
 * What a second terminal types to end the first one's processes: Docker ends no process of `docker exec` when its client goes
 * (moby/moby#9098). HUP, at most two seconds, then KILL, for every process of the session.
 */
export function endingLine({ session }: Pick<ShellPlace, 'session'>): string {
  return [
    ` m() { for f in /proc/[0-9]*/stat; do read -r l <"$f" || continue; set -- \${l##*) }; p=\${f#/proc/};`,
    `[ "$4" = ${session} ] && [ "$1" != Z ] && echo "\${p%/stat}"; done; } 2>/dev/null;`,
    'kill -HUP $(m); n=0; while [ -n "$(m)" ] && [ $n -lt 20 ]; do sleep 0.1 || sleep 1; n=$((n+1)); done;',
    'kill -KILL $(m); exit\n',
  ].join(' ');
}
