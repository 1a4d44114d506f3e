import { spawnSync } from 'node:child_process';
import { appendFileSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDokkuAtLeast } from '@homeport/contract/servers/dokku-versions';
import { pathsFromEnvironment } from './paths.ts';
import { type App, State } from './state.ts';

/** Ends the command with this exit code, after its messages. */
export class Exit extends Error {
  readonly code: number;
  /** The text that the plugin which called a deploy prints once more. */
  readonly text: string;
  constructor(code: number, text = '') {
    super(`exit ${code}`);
    this.code = code;
    this.text = text;
  }
}

/** Writes text to stdout or stderr. */
export type Write = (stream: 1 | 2, text: string) => void;

/** Runs a program on the streams of the caller, with these variables beside the caller's own. Resolves with the exit code. */
export type StartProgram = (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<number>;

/** Who calls, where the output goes and who runs programs, for a call that another process answers. */
export type Caller = {
  readonly as: 'root' | 'dokku';
  readonly path: string;
  readonly write: Write;
  readonly start: StartProgram;
  /** The whole stdin. Null when stdin is /dev/null or a terminal. */
  readonly stdin: () => Promise<string | null>;
};

/** This process, for a call of its own. */
export function callerHere(): Caller {
  return {
    as: process.env.DOKKU_SANDBOX_AS === 'dokku' ? 'dokku' : 'root',
    path: process.env.PATH ?? '',
    write: (stream, text) => writeSync(stream, text),
    start: async ([program = '', ...words], env) => {
      const ended = spawnSync(program, words, { stdio: 'inherit', env: { ...process.env, ...env } });
      // As a shell tells of a program that cannot start, and as Dokku of one that a signal ended.
      return ended.error ? 127 : (ended.status ?? 128);
    },
    stdin: async () => (fstatSync(0).isCharacterDevice() ? null : readFileSync(0, 'utf8')),
  };
}

/** One run of `dokku`: its words, its streams, its state. */
export class Call {
  readonly command: string;
  readonly words: readonly string[];
  /** The words behind the command as they were typed. */
  readonly typed: readonly string[];
  /** `dokku --force <command>` */
  readonly isForcedBefore: boolean;
  readonly quiet: boolean;
  readonly force: boolean;
  /** `root`, or `dokku` for the console's own account and for keys of `dokku@`. */
  readonly as: 'root' | 'dokku';
  /** PATH of the caller. */
  readonly path: string;
  readonly start: StartProgram;
  readonly stdin: Caller['stdin'];
  /** The name of the SSH key, over `dokku@`. */
  readonly keyName: string | null;
  readonly state = new State(pathsFromEnvironment());
  readonly pace: number;
  /** What Dokku tells triggers of the build that goes on: its record, and what began it. */
  build: { DOKKU_BUILD_ID?: string; DOKKU_BUILD_SOURCE?: string } = {};
  #merged = false;
  #silent = false;
  #survives = false;
  #log: string | null = null;
  readonly #write: Write;

  constructor(options: {
    command: string;
    words: readonly string[];
    quiet?: boolean;
    forcedBefore?: boolean;
    keyName?: string | null;
    /** Default: this process. */
    caller?: Caller;
  }) {
    this.command = options.command;
    this.isForcedBefore = options.forcedBefore === true;
    this.typed = options.words.filter((word) => word !== '--quiet');
    this.words = this.isForcedBefore ? ['--force', ...options.words] : options.words;
    this.quiet = options.quiet === true || options.words.includes('--quiet');
    this.force = this.words.includes('--force');
    const caller = options.caller ?? callerHere();
    this.as = caller.as;
    this.path = caller.path;
    this.start = caller.start;
    this.stdin = caller.stdin;
    this.#write = caller.write;
    this.keyName = options.keyName ?? null;
    this.pace = this.state.settings().pace;
  }

  /** A line on stdout. */
  out(line: string): void {
    this.write(1, `${line}\n`);
  }

  /** `-----> text`: a headline, which `--quiet` drops. */
  say(text: string): void {
    if (!this.quiet) this.out(`-----> ${text}`);
  }

  title(text: string): void {
    if (!this.quiet) this.out(`=====> ${text}`);
  }

  detail(text: string): void {
    if (!this.quiet) this.out(`       ${text}`);
  }

  /** A bare line on stderr. */
  err(line: string): void {
    this.write(2, `${line}\n`);
  }

  /** ` !     text`, on stderr: warnings and errors look alike. */
  warn(text: string): void {
    this.err(` !     ${text}`);
  }

  fail(text: string, code = 1): never {
    this.warn(text);
    throw new Exit(code);
  }

  /** From here on, merges stderr into stdout and copies both into the build's log, like a deploy of Dokku 0.38. */
  mergeInto(log: string | null): void {
    this.#merged = true;
    this.#log = log;
  }

  /** Ends the merging when the deploy inside the command is over. */
  mergeNoMore(): void {
    this.#merged = false;
    this.#log = null;
  }

  /** Prints nothing any more, because stdout carries git's own protocol. */
  silence(): void {
    this.#silent = true;
  }

  /** Finishes a push even if its client has left. */
  surviveHangup(): void {
    this.#survives = true;
    process.on('SIGHUP', () => undefined);
  }

  write(stream: 1 | 2, text: string): void {
    if (this.#log) appendFileSync(this.#log, text);
    const target = this.#merged ? 1 : stream;
    if (target === 1 && this.#silent) return;
    try {
      this.#write(target, text);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
      // 128 + SIGPIPE. Dokku is a shell program and ends with this code.
      if (!this.#survives) throw new Exit(141);
    }
  }

  /** Waits as the real command does, scaled by the sandbox's pace. */
  async pause(ms: number): Promise<void> {
    if (this.pace > 0) await sleep(ms * this.pace);
  }

  /** The app that a word names. Fails like Dokku for a missing word or a missing app. */
  app(name: string | undefined): App {
    if (name === undefined || name === '') this.fail('Please specify an app to run the command on');
    const app = /^[a-z0-9][a-z0-9._-]*$/.test(name) ? this.state.app(name) : undefined;
    return app ?? this.fail(`App ${name} does not exist`, 20);
  }

  /** Whether this Dokku has the features of a version. */
  knows(since: string): boolean {
    return isDokkuAtLeast(this.state.version(), since);
  }

  /** Refuses an unknown command: of a later version, of a missing plugin, or of no version. */
  unknown(): never {
    const line = [this.command, ...this.words.filter((word) => word !== '--quiet')].join(' ');
    this.warn(`\`${line}\` is not a dokku command.`);
    return this.fail('See `dokku help` for a list of available commands.');
  }

  event(trigger: string, ...words: readonly string[]): void {
    if (!this.state.settings().events) return;
    const at = new Date().toISOString().replace('Z', '000+00:00');
    const line = `${at} sandbox dokku-event[${process.pid}]: INVOKED: ${trigger}( ${words.join(' ')} ) NAME=${this.keyName ?? ''} FINGERPRINT= DOKKU_PID=${process.pid}\n`;
    appendFileSync(this.state.paths.events, line);
  }
}

export type SandboxCommand = {
  readonly name: string;
  /** The version that introduced the command, if an older supported version lacks it. */
  readonly since?: string;
  /** The plugin that the command belongs to, if Dokku comes without it. */
  readonly plugin?: string;
  readonly run: (call: Call) => Promise<void> | void;
};
