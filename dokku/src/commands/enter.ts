import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { markVariable, shellWords, type TerminalMark } from './shell-words.ts';

export { type TerminalMark, terminalMarkSchema } from './shell-words.ts';

/**
 * A shell in a running container (`web.1`), for a terminal. Only words without any sign of a shell's language: for images of herokuish,
 * its `/exec` reads the words once more as shell text.
 */
export function shell(app: AppName, process: string, mark: TerminalMark | null): Command {
  return dokku('enter', app, process, ...shellWords(mark));
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
 * (moby/moby#9098). HUP, at most two seconds, then KILL, for every process that has the mark among its variables or is of the session, where
 * that is known: a program may have left the session, or have written over its variables.
 */
export function endingLine(mark: TerminalMark, place: Pick<ShellPlace, 'session'> | null): string {
  const ofSession = place
    ? `for f in /proc/[0-9]*/stat; do read -r l <"$f" || continue; set -- \${l##*) }; f=\${f%/stat}; [ "$4" = ${place.session} ] && [ "$1" != Z ] && echo "\${f#/proc/}"; done;`
    : '';
  return [
    ` m() { for f in $(grep -l ${markVariable(mark)} /proc/[0-9]*/environ); do f=\${f%/environ}; echo "\${f#/proc/}"; done; ${ofSession} } 2>/dev/null;`,
    'kill -HUP $(m); n=0; while [ -n "$(m)" ] && [ $n -lt 20 ]; do sleep 0.1 || sleep 1; n=$((n+1)); done;',
    'kill -KILL $(m); exit\n',
  ].join(' ');
}
