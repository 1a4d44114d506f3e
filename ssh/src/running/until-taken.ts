import type { ClientChannel } from 'ssh2';

/** Resolves when the channel takes more, has closed, or the command is to end. */
export function untilTaken(channel: ClientChannel, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      channel.off('drain', settle);
      channel.off('close', settle);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    channel.on('drain', settle);
    channel.on('close', settle);
    signal.addEventListener('abort', settle);
  });
}
