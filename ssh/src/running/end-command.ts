import type { Client, ClientChannel } from 'ssh2';
import { graceMs } from './end-early.ts';
import { endRemoteSession } from './end-remote-session.ts';
import { markReader } from './launcher.ts';

/** Ends a running command. True when the server confirms that nothing of the command runs any more. */
export type EndCommand = (
  channel: ClientChannel,
  pid: Promise<number>,
  closed: Promise<unknown>,
) => Promise<boolean>;

/** @param hangsUp the command runs on a terminal, so sshd ends it with its channel. */
export function endingOn(
  client: Client,
  { hangsUp, wayToEnd }: { hangsUp: boolean; wayToEnd: readonly string[] },
): EndCommand {
  const bySignals: EndCommand = async (channel, pid, closed) => {
    const leader = await atMost(graceMs, Promise.race([pid, closed.then(() => null)]));
    const ended = typeof leader === 'number' && (await endRemoteSession(client, leader, wayToEnd));
    if (ended) await atMost(graceMs, closed);
    else channel.signal('KILL');
    channel.close();
    return ended;
  };
  if (!hangsUp) return bySignals;
  // sshd hangs the terminal up when the channel closes, and answers when the command has ended.
  return async (channel, pid, closed) => {
    channel.close();
    const hungUp = await atMost(
      graceMs,
      closed.then(() => true),
    );
    return hungUp ?? bySignals(channel, pid, closed);
  };
}

/** A channel that opened after its caller gave up. Its command has begun and must not run on unseen. */
export function endLate(channel: ClientChannel, mark: string, end: EndCommand): void {
  const marked = markReader(mark);
  const closed = new Promise<void>((resolve) => channel.on('close', () => resolve()));
  channel.on('error', () => channel.close());
  for (const stream of [channel, channel.stderr])
    stream.on('data', (bytes: Buffer) => void marked.read(bytes));
  channel.end();
  void end(channel, marked.pid, closed);
}

/** Null when `work` is not done within `ms`. */
function atMost<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
