import { quoteArgv } from '@homeport/contract/quoting';

/**
 * The account's shell, which sshd gives each command line to. `posix` is a shell of the Bourne family, as most accounts
 * have; `unknown` may be any program, whose quoting and `$$` may differ.
 */
export type LoginShell = 'posix' | 'unknown';

/** By the path in passwd(5), which sshd puts into SHELL. */
export function loginShellAt(path: string): LoginShell {
  return /(?:^|\/)(?:ba|da|a|k|mk|z)?sh$/.test(path) ? 'posix' : 'unknown';
}

/**
 * Says the command's process id on stderr, then becomes the command. sshd starts every command as the leader of a
 * session of its own (`setsid` in its session.c) and `exec` keeps the process id, so this number names the whole family
 * of processes and lets them be ended together. The mark tells this line from a profile's noise.
 */
const announce = (mark: string) => `printf "%s %s\\n" ${mark} "$$" >&2; exec `;

/** Below Linux's limit for one word (MAX_ARG_STRLEN, 131072), which the login shell's whole command line has to pass. */
const commandLineBytes = 120_000;

/** The one line that sshd gives to the account's shell. `env` is put in by env(1): sshd's AcceptEnv refuses most names. */
export function commandLine(
  argv: readonly string[],
  mark: string,
  env: Readonly<Record<string, string>> = {},
  shell: LoginShell = 'unknown',
): string {
  for (const name of Object.keys(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new RangeError(`"${name}" is no environment variable's name.`);
  }
  if (argv.length === 0) throw new RangeError('A command needs at least one word.');
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = settings.length > 0 ? ['env', ...settings, ...argv] : argv;
  // A shell that is known to understand this needs no further one, whose start would cost a millisecond.
  const line =
    shell === 'posix'
      ? announce(mark) + quoteArgv(command)
      : quoteArgv(['exec', 'sh', '-c', `${announce('"$0"')}"$@"`, mark, ...command]);
  if (Buffer.byteLength(line) > commandLineBytes) {
    throw new RangeError(
      `A command line holds at most ${commandLineBytes} bytes; send long input over stdin.`,
    );
  }
  return line;
}

/** A profile prints less than this; an account with a forced command never says the line, and is not waited for longer. */
const noiseBytes = 65_536;

/**
 * Takes the launcher's line out of stderr as it streams by. Whatever a login profile prints before it passes on.
 * `pid` resolves when the line came by; `flush` gives what is still held back at the end.
 */
export function markReader(mark: string) {
  let onPid: (pid: number) => void = () => {};
  const pid = new Promise<number>((resolve) => {
    onPid = resolve;
  });
  let held: Buffer | null = Buffer.alloc(0);
  const begin = `${mark} `;
  const number = /(\d+)\n/y;
  return {
    pid,
    read(chunk: Buffer): Buffer {
      if (!held) return chunk;
      held = Buffer.concat([held, chunk]);
      const text = held.toString('latin1');
      const start = text.indexOf(begin);
      number.lastIndex = start + begin.length;
      const found = start < 0 ? null : number.exec(text);
      if (!found) return held.length > noiseBytes ? this.flush() : Buffer.alloc(0);
      onPid(Number(found[1]));
      const rest = Buffer.from(text.slice(0, start) + text.slice(number.lastIndex), 'latin1');
      held = null;
      return rest;
    },
    flush(): Buffer {
      const rest = held ?? Buffer.alloc(0);
      held = null;
      return rest;
    },
  };
}
