import { setTimeout as wait } from 'node:timers/promises';
import type { Client, ClientChannel, PseudoTtyOptions } from 'ssh2';
import { CommandError } from '../failures.ts';
import type { ChannelSlots } from './channel-slots.ts';
import { boundWindows } from './channel-window.ts';
import { EndEarly, graceMs } from './end-early.ts';

/** SSH_OPEN_CONNECT_FAILED (RFC 4254, 5.1): sshd's answer past MaxSessions. */
const tooManySessions = 2;
/** A channel that closes frees its session on the server a moment later. */
const retryAfterMs = 100;

/** ssh2's own text. The tests would find another one. */
const terminalRefused = 'Unable to request a pseudo-terminal';

export type ChannelWay = {
  /** Runs until its reader leaves, so it takes none of the last channels. */
  follows: boolean;
  before: (() => Promise<void>) | undefined;
  /** The terminal that the line runs on (RFC 4254, 6.2). */
  pty: PseudoTtyOptions | undefined;
};

/**
 * Starts `line` on a channel of its own as soon as a slot is free, and keeps the slot until the caller releases it. The line runs on
 * a terminal if `pty` describes one. Rejects with the signal's reason, a `CommandError` or what `before` rejected with: that is asked on the
 * slot, right before the line goes out. `onLate` gets a channel that opens after that.
 */
export async function openChannel(
  client: Client,
  slots: ChannelSlots,
  line: string,
  signal: AbortSignal,
  { before, pty, ...kind }: ChannelWay,
  onLate: (channel: ClientChannel) => void,
): Promise<ClientChannel> {
  let place: 'last' | 'ahead' = 'last';
  for (;;) {
    await slots.acquire(signal, { place, ...kind });
    try {
      await before?.();
      // `start` hears of an abort that comes later, and not of one that came meanwhile.
      signal.throwIfAborted();
      return await start(client, line, signal, pty, onLate);
    } catch (error) {
      if (!isTooManySessions(error)) {
        slots.release(kind);
        throw error;
      }
      // A command that just ended may still hold its session. After a second refusal the server's limit really is lower.
      if (place === 'ahead') slots.refused(kind);
      else slots.release(kind);
      place = 'ahead';
      await wait(retryAfterMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** The command may have begun once it was requested, so an abort waits for the channel and the caller can end the command. */
function start(
  client: Client,
  line: string,
  signal: AbortSignal,
  pty: PseudoTtyOptions | undefined,
  onLate: (channel: ClientChannel) => void,
): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    let patience: NodeJS.Timeout | undefined;
    let gaveUp = false;
    const onAbort = () => {
      patience = setTimeout(() => {
        gaveUp = true;
        reject(signal.reason instanceof EndEarly ? new EndEarly(signal.reason.cause, false) : signal.reason);
      }, graceMs);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      clearTimeout(patience);
      signal.removeEventListener('abort', onAbort);
    };
    try {
      boundWindows(client);
      client.exec(line, pty ? { pty } : {}, (error, channel) => {
        settle();
        if (error) reject(isTooManySessions(error) ? error : refusal(error));
        else if (gaveUp) onLate(channel);
        else resolve(channel);
      });
    } catch (error) {
      settle();
      // ssh2 throws "Not connected" when the socket has closed.
      reject(new CommandError({ code: 'connection_lost', outputTail: '' }, error));
    }
  });
}

export function isTooManySessions(error: unknown): boolean {
  return error instanceof Error && 'reason' in error && error.reason === tooManySessions;
}

function refusal(error: Error): CommandError {
  if (error.message === terminalRefused) return new CommandError({ code: 'terminal_refused' }, error);
  const lost = /No response from server|Not connected|closed channel unexpectedly/.test(error.message);
  const failure = lost
    ? ({ code: 'connection_lost', outputTail: '' } as const)
    : ({ code: 'channel_refused', reason: error.message } as const);
  return new CommandError(failure, error);
}
