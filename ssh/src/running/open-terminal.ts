import { randomBytes } from 'node:crypto';
import type { ClientChannel } from 'ssh2';
import { CommandError } from '../failures.ts';
import { boundWindows } from './channel-window.ts';
import { endingOn, endLate } from './end-command.ts';
import { EndEarly } from './end-early.ts';
import { GatheredPieces } from './gather-pieces.ts';
import { commandLine, markReader } from './launcher.ts';
import { openChannel } from './open-channel.ts';
import type { CommandContext } from './run-command.ts';
import { untilTaken } from './until-taken.ts';

export type TerminalSize = { columns: number; rows: number };

export type TerminalOptions = {
  /** The words of the program on the terminal. Never a secret. */
  argv: readonly string[];
  size: TerminalSize;
  /** Ends the terminal and what runs on it. */
  signal: AbortSignal;
  /** How long the terminal may take to open, the wait for a free channel included. */
  openWithinMs: number;
  /** As for a command: asked when a channel is free, right before the server gets the words. */
  before?: () => Promise<void>;
  /** As for a command: words before kill(1). */
  wayToEnd?: readonly string[];
  /**
   * Gets the bytes of the screen as they arrive. Until a returned promise resolves, the server sends at most one more window
   * (`channelWindowBytes`). Then its program waits.
   */
  onOutput: (bytes: Buffer) => void | Promise<void>;
};

/** How a terminal ended. Both are null where the connection ended first, and `lost` is then true. */
export type TerminalEnd = { exitCode: number | null; signal: string | null; lost: boolean };

export type Terminal = {
  /** Sends keystrokes. Resolves when the server takes more, or when the terminal has ended. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): void;
  /** Never rejects. */
  readonly ended: Promise<TerminalEnd>;
};

/**
 * Opens a terminal for a person: `pty-req` with the size comes before the program (RFC 4254, 6.2), so no program sees a wrong first
 * size. Rejects with a `CommandError`, or with what `before` rejected with. Signals are bytes that the person types, because the
 * program may belong to another user of the server.
 */
export async function openTerminal(context: CommandContext, options: TerminalOptions): Promise<Terminal> {
  const { client, slots, shell } = context;
  const mark = `homeport-${randomBytes(9).toString('hex')}`;
  const line = commandLine(options.argv, mark, {}, shell);
  const end = endingOn(client, { hangsUp: true, wayToEnd: options.wayToEnd ?? [] });
  const way = {
    follows: true,
    before: options.before,
    pty: { term: 'xterm-256color', ...sizeOf(options.size) },
  };
  const opening = openingSignal(options);
  try {
    const channel = await openChannel(client, slots, line, opening.signal, way, (late) =>
      endLate(late, mark, end),
    );
    const ended = serve(context, channel, mark, options, end).finally(() => slots.release(way));
    return {
      ended,
      async write(bytes) {
        if (options.signal.aborted || channel.destroyed || !channel.writable) return;
        if (!channel.write(bytes)) await untilTaken(channel, options.signal);
      },
      resize(size) {
        if (options.signal.aborted || channel.destroyed || !channel.writable) return;
        const { rows, cols, height, width } = sizeOf(size);
        channel.setWindow(rows, cols, height, width);
      },
    };
  } catch (error) {
    throw error instanceof EndEarly ? notOpened(error, options) : error;
  } finally {
    opening.clear();
  }
}

const sizeOf = ({ columns, rows }: TerminalSize) => ({ cols: columns, rows, width: 0, height: 0 });

function openingSignal({ signal, openWithinMs }: TerminalOptions) {
  const controller = new AbortController();
  const leave = () => controller.abort(new EndEarly('cancelled', true));
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  const timer = setTimeout(() => controller.abort(new EndEarly('timeout', true)), openWithinMs);
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    },
  };
}

function notOpened({ cause, remoteEnded }: EndEarly, { openWithinMs }: TerminalOptions): CommandError {
  const common = { outputTail: '', remoteEnded };
  return new CommandError(
    cause === 'timeout'
      ? { code: 'timeout', deadlineMs: openWithinMs, ...common }
      : { code: 'cancelled', ...common },
  );
}

async function serve(
  { client }: CommandContext,
  channel: ClientChannel,
  mark: string,
  { signal, onOutput }: TerminalOptions,
  end: ReturnType<typeof endingOn>,
): Promise<TerminalEnd> {
  const marked = markReader(mark);
  const window = boundWindows(client).of(channel);
  const take = (bytes: Buffer) => (bytes.length === 0 || signal.aborted ? undefined : onOutput(bytes));
  const pieces = new GatheredPieces(
    (_stream, bytes) => take(marked.read(bytes)),
    (bytes) => window.taken(bytes),
    { waitsForMore: false },
  );
  channel.on('data', (bytes: Buffer) => pieces.add('stdout', bytes));
  channel.stderr.on('data', (bytes: Buffer) => pieces.add('stdout', bytes));
  channel.on('error', () => channel.close());
  const closed = new Promise<TerminalEnd>((resolve) => {
    channel.on('close', (code?: number | null, by?: string) => {
      pieces.flush();
      void take(marked.flush());
      resolve({ exitCode: code ?? null, signal: by ?? null, lost: code === undefined });
    });
  });
  const left = new Promise<'left'>((resolve) => {
    if (signal.aborted) resolve('left');
    signal.addEventListener('abort', () => resolve('left'), { once: true });
  });
  const first = await Promise.race([closed, left]);
  if (first !== 'left') return first;
  window.drain();
  await end(channel, marked.pid, closed);
  return { exitCode: null, signal: null, lost: false };
}
