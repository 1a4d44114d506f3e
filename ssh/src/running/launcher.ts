import { quoteArgv } from '@homeport/contract/quoting';

/**
 * The account's shell, to which sshd gives each command line. `posix` is a shell of the Bourne family, as most accounts have.
 * `unknown` may be any program; its quoting and its `$$` may differ.
 */
export type LoginShell = 'posix' | 'unknown';

/** By the path in passwd(5), which sshd puts into SHELL. */
export function loginShellAt(path: string): LoginShell {
  return /(?:^|\/)(?:ba|da|a|k|mk|z)?sh$/.test(path) ? 'posix' : 'unknown';
}

/**
 * Prints the command's process id on stderr, then becomes the command. sshd starts every command as the leader of a session
 * of its own (`setsid` in its session.c), and `exec` keeps the process id. So this number names all processes of the command,
 * and the console can end them together. The mark tells this line from a profile's noise.
 */
const announce = (mark: string) => `printf "%s %s\\n" ${mark} "$$" >&2; exec `;

/** Below Linux's limit for one word (MAX_ARG_STRLEN, 131072), which the login shell's whole command line has to pass. */
const commandLineBytes = 120_000;

/** The one line that sshd gives to the account's shell. env(1) sets `env`, because sshd's AcceptEnv refuses most names. */
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
  // A second shell would cost a millisecond. A shell that understands the line needs none.
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

/** A profile prints less than this. An account with a forced command never prints the launcher's line, so the reader stops looking. */
const noiseBytes = 65_536;
/** The kernel's largest process id has seven digits (PID_MAX_LIMIT, 4194304). */
const pidDigits = 10;

/**
 * Takes the launcher's line out of stderr as it streams by, and passes on anything that a login profile prints before that line.
 * Holds back no more than could be the beginning of the line, so each byte is looked at a bounded number of times, however small the
 * pieces are. `pid` resolves when the line arrives. `flush` returns the bytes that are still held back at the end.
 */
export function markReader(mark: string) {
  let onPid: (pid: number) => void = () => {};
  const pid = new Promise<number>((resolve) => {
    onPid = resolve;
  });
  const begin = Buffer.from(`${mark} `, 'latin1');
  let held: Buffer | null = Buffer.alloc(0);
  let looked = 0;
  return {
    pid,
    read(chunk: Buffer): Buffer {
      if (!held) return chunk;
      const bytes = Buffer.concat([held, chunk]);
      looked += chunk.length;
      const { pid: found, from, to } = findLine(bytes, begin);
      if (found !== null) {
        onPid(found);
        held = null;
        return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
      }
      held = looked > noiseBytes ? null : Buffer.from(bytes.subarray(from));
      return held ? bytes.subarray(0, from) : bytes;
    },
    flush(): Buffer {
      const rest = held ?? Buffer.alloc(0);
      held = null;
      return rest;
    },
  };
}

/** The line's place and its number. Without a number, what follows `from` could be the beginning of the line. */
function findLine(bytes: Buffer, begin: Buffer): { pid: number | null; from: number; to: number } {
  for (let from = bytes.indexOf(begin); from >= 0; from = bytes.indexOf(begin, from + 1)) {
    const digits = from + begin.length;
    let to = digits;
    while (to < bytes.length && to - digits < pidDigits && isDigit(bytes[to])) to += 1;
    if (to === bytes.length) return { pid: null, from, to };
    if (to > digits && bytes[to] === lineEnd) return { pid: numberAt(bytes, digits, to), from, to: to + 1 };
    // A terminal for people puts a carriage return before each line end.
    if (to > digits && bytes[to] === carriageReturn) {
      if (to + 1 === bytes.length) return { pid: null, from, to };
      if (bytes[to + 1] === lineEnd) return { pid: numberAt(bytes, digits, to), from, to: to + 2 };
    }
  }
  const from = Math.max(0, bytes.length - begin.length + 1);
  return { pid: null, from, to: from };
}

const numberAt = (bytes: Buffer, from: number, to: number) => Number(bytes.toString('latin1', from, to));

const lineEnd = 0x0a;
const carriageReturn = 0x0d;
const isDigit = (byte = 0) => byte >= 0x30 && byte <= 0x39;
