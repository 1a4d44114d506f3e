import { randomBytes } from 'node:crypto';
import { remoteOutputBytes, transferWindowBytes } from '@homeport/contract/limits';
import type { Client, ClientChannel, PseudoTtyOptions } from 'ssh2';
import type { Clock } from '../clock.ts';
import { CommandError } from '../failures.ts';
import { BoundedOutput, type OnText, textStream } from './bounded-output.ts';
import type { ChannelSlots } from './channel-slots.ts';
import { boundWindows } from './channel-window.ts';
import { type EndCommand, endingOn, endLate } from './end-command.ts';
import { EndEarly, type EndReason } from './end-early.ts';
import { GatheredPieces } from './gather-pieces.ts';
import { commandLine, type LoginShell, markReader } from './launcher.ts';
import { openChannel } from './open-channel.ts';
import { untilTaken } from './until-taken.ts';

export type CommandOptions = {
  /** The command's words; each reaches the program byte for byte. Never a secret: other accounts can read a command line. */
  argv: readonly string[];
  /**
   * The command's input, then end of file. The place for secrets. Input in pieces is pulled as the server takes it. If it
   * fails, the command is cancelled: it never sees an end of file that looks like a whole input.
   */
  stdin?: string | Buffer | AsyncIterable<Uint8Array>;
  /** Environment of the command. Never a secret, for the same reason. */
  env?: Readonly<Record<string, string>>;
  /** Cancels the command: its remote processes end, then the promise rejects. */
  signal?: AbortSignal;
  /** Counted from the call, the wait for a free channel included. */
  deadlineMs: number;
  /**
   * Called when nothing but the server is left to wait for, once for each try to open a channel. If it rejects, so does the
   * command, and the server never gets it.
   */
  before?: () => Promise<void>;
  /**
   * Ends a command (`stalled`) whose bytes stand still for so long, in both directions. After the last piece of its input it may
   * take its time. Default: never.
   */
  stallMs?: number;
  /** For both streams together. */
  maxOutputBytes?: number;
  /**
   * Past the bound either the command ends (`output_limit`), or it runs on at a bounded pace and the newest output is kept.
   */
  whenTooLong?: 'fail' | 'keep_newest';
  /**
   * True for a command that runs until its reader leaves. It runs on a terminal, so that the server ends it with its channel and
   * with the connection; stderr arrives as stdout. Rejects with `terminal_refused` where the server gives this login none. Such
   * commands never take a connection's last two channels.
   */
  follows?: boolean;
  /** Words before kill(1) that let the account end the command's processes of other users: `sudo -n`. Default: none. */
  wayToEnd?: readonly string[];
  /**
   * Gets whole characters as they arrive; `splitLines` makes lines of them. Until a returned promise resolves, the server sends
   * at most one more window (`channelWindowBytes`). Then its command waits.
   */
  onStdout?: OnText;
  onStderr?: OnText;
  /** As `onStdout`, for output that is no text. It is not kept, and counts for no bound. */
  onStdoutBytes?: (bytes: Buffer) => void | Promise<void>;
};

export type CommandResult = {
  /** Null when a signal ended the command. */
  exitCode: number | null;
  /** `SIGTERM` and the like. */
  signal: string | null;
  stdout: string;
  stderr: string;
  startedAt: number;
  durationMs: number;
  /** True when `keep_newest` dropped older output. */
  truncated: boolean;
};

export type CommandContext = { client: Client; slots: ChannelSlots; clock: Clock; shell: LoginShell };

/**
 * A command that runs until its reader leaves gets a terminal (RFC 4254, 6.2). When the channel closes, or the whole connection
 * ends in any way, sshd hangs the terminal up, and the kernel ends every process on it. Without a terminal, processes that print
 * nothing would never notice. The modes leave each byte as the command wrote it: no echo, no CR before LF.
 */
const followed: PseudoTtyOptions = { term: 'dumb', modes: { ECHO: 0, OPOST: 0, ONLCR: 0 } };
/** Runs one command to its end. Rejects with a `CommandError`, or a `RangeError` for words that no command can have. */
export async function runCommand(context: CommandContext, options: CommandOptions): Promise<CommandResult> {
  const { client, slots, clock, shell } = context;
  const mark = `homeport-${randomBytes(9).toString('hex')}`;
  const line = commandLine(options.argv, mark, options.env, shell);
  const output = new BoundedOutput(options.maxOutputBytes ?? remoteOutputBytes);
  const stop = stopSignal(options);
  const kind = { follows: options.follows ?? false };
  const end = endingOn(client, { hangsUp: options.follows ?? false, wayToEnd: options.wayToEnd ?? [] });

  try {
    const way = { ...kind, before: options.before, pty: options.follows ? followed : undefined };
    const channel = await openChannel(client, slots, line, stop.signal, way, (late) =>
      endLate(late, mark, end),
    );
    const startedAt = clock.now();
    const running = read(client, channel, mark, output, stop, options, end);
    const ended = await running.finally(() => slots.release(kind));
    return {
      exitCode: ended.code,
      signal: ended.signal,
      stdout: output.text('stdout'),
      stderr: output.text('stderr'),
      startedAt,
      durationMs: clock.now() - startedAt,
      truncated: output.truncated,
    };
  } catch (error) {
    throw error instanceof EndEarly ? endedEarly(error.cause, options, output, error.remoteEnded) : error;
  } finally {
    stop.clear();
  }
}

/** One signal for the three reasons to end a command early; the first one counts. */
function stopSignal(options: CommandOptions) {
  const controller = new AbortController();
  // `remoteEnded` is true, because nothing runs on the server before a channel is open.
  const stop = (cause: EndReason) => controller.abort(new EndEarly(cause, true));
  const onCancel = () => stop('cancelled');
  if (options.signal?.aborted) onCancel();
  options.signal?.addEventListener('abort', onCancel, { once: true });
  const timer = setTimeout(() => stop('timeout'), options.deadlineMs);
  let stall = options.stallMs === undefined ? undefined : setTimeout(() => stop('stalled'), options.stallMs);
  return {
    signal: controller.signal,
    stop,
    /** Bytes moved. */
    moved: () => void stall?.refresh(),
    /** The whole input is sent. From here on the server works without a word: it writes to its disk, for example. */
    allSent() {
      clearTimeout(stall);
      stall = undefined;
    },
    clear() {
      clearTimeout(timer);
      clearTimeout(stall);
      options.signal?.removeEventListener('abort', onCancel);
    },
  };
}

function isPieces(input: CommandOptions['stdin']): input is AsyncIterable<Uint8Array> {
  return typeof input === 'object' && Symbol.asyncIterator in input;
}

/** Writes the pieces as the server takes them, until the command ends. */
async function feed(
  channel: ClientChannel,
  pieces: AsyncIterable<Uint8Array>,
  stop: ReturnType<typeof stopSignal>,
): Promise<void> {
  let isClosed = false;
  channel.once('close', () => {
    isClosed = true;
  });
  try {
    for await (const piece of pieces) {
      if (isClosed || stop.signal.aborted) return;
      if (!channel.write(piece)) await untilTaken(channel, stop.signal);
      stop.moved();
    }
    if (!isClosed && !stop.signal.aborted) channel.end(() => stop.allSent());
  } catch {
    stop.stop('cancelled');
  }
}

type CommandEnd = { code: number | null; signal: string | null };

async function read(
  client: Client,
  channel: ClientChannel,
  mark: string,
  output: BoundedOutput,
  stop: ReturnType<typeof stopSignal>,
  options: CommandOptions,
  end: EndCommand,
): Promise<CommandEnd> {
  const stdout = textStream(options.onStdout);
  const stderr = textStream(options.onStderr);
  const marked = markReader(mark);
  // A terminal has one stream, and the launcher's line stands on it too.
  const announcedOn = options.follows ? 'stdout' : 'stderr';
  const window = boundWindows(client).of(channel);
  if (options.onStdoutBytes) window.widen(transferWindowBytes);
  const take = (stream: 'stdout' | 'stderr', bytes: Buffer): void | Promise<void> => {
    // A reader that has left must not be handed what the command prints until it is ended: nobody bounds that.
    if (bytes.length === 0 || stop.signal.aborted) return;
    if (stream === 'stdout' && options.onStdoutBytes) return options.onStdoutBytes(bytes);
    const kept = output.add(stream, bytes);
    const taken = (stream === 'stdout' ? stdout : stderr).write(bytes);
    if (kept) return taken;
    if (options.whenTooLong !== 'keep_newest') stop.stop('output_limit');
    return Promise.all([taken, window.pace(bytes.length)]).then(() => {});
  };
  const pieces = new GatheredPieces(
    (stream, bytes) => take(stream, stream === announcedOn ? marked.read(bytes) : bytes),
    (bytes) => {
      stop.moved();
      window.taken(bytes);
    },
    { waitsForMore: options.onStdoutBytes !== undefined },
  );
  const arrive = (stream: 'stdout' | 'stderr', bytes: Buffer) => {
    stop.moved();
    pieces.add(stream, bytes);
  };
  channel.on('data', (bytes: Buffer) => arrive('stdout', bytes));
  channel.stderr.on('data', (bytes: Buffer) => arrive('stderr', bytes));

  const closed = new Promise<CommandEnd | null>((resolve) => {
    // ssh2 leaves the code undefined when the channel closed without one: the connection ended, which is no success.
    channel.on('close', (code?: number | null, signal?: string) => {
      pieces.flush();
      void take(announcedOn, marked.flush());
      if (!stop.signal.aborted) {
        stdout.end();
        stderr.end();
      }
      resolve(code === undefined ? null : { code, signal: signal ?? null });
    });
  });
  channel.on('error', () => channel.close());
  if (isPieces(options.stdin)) void feed(channel, options.stdin, stop);
  else channel.end(options.stdin);

  const stopped = new Promise<'stopped'>((resolve) => {
    if (stop.signal.aborted) resolve('stopped');
    stop.signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const first = await Promise.race([closed, stopped]);
  if (first === 'stopped') {
    window.drain();
    const remoteEnded = await end(channel, marked.pid, closed);
    throw new EndEarly((stop.signal.reason as EndEarly).cause, remoteEnded);
  }
  if (first === null) throw new CommandError({ code: 'connection_lost', outputTail: output.tail() });
  return first;
}

function endedEarly(
  code: EndReason,
  options: CommandOptions,
  output: BoundedOutput,
  remoteEnded: boolean,
): CommandError {
  const common = { outputTail: output.tail(), remoteEnded };
  switch (code) {
    case 'timeout':
      return new CommandError({ code, deadlineMs: options.deadlineMs, ...common });
    case 'stalled':
      return new CommandError({ code, stallMs: options.stallMs ?? 0, ...common });
    case 'cancelled':
      return new CommandError({ code, ...common });
    case 'output_limit':
      return new CommandError({
        code,
        maxOutputBytes: options.maxOutputBytes ?? remoteOutputBytes,
        ...common,
      });
  }
}
