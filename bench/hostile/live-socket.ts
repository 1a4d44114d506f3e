import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { liveSubprotocol } from '@homeport/contract/live/facts';
import type { LivePageMessage } from '@homeport/contract/live/schema';
import { WebSocket } from 'ws';

const messagesAtOnce = 400;
const unreadMs = 10_000;

/**
 * Opens the live socket of another tab, asks for flooding logs and reads nothing for ten seconds. Every second tab floods the
 * socket with messages instead. Resolves with the code of the close, or with `kept` if the console kept the socket open.
 */
export async function floodLiveSocket(
  url: string,
  cookie: string,
  appIds: readonly string[],
  signal: AbortSignal,
): Promise<number | 'kept'> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`, liveSubprotocol, {
    headers: { cookie, origin: url },
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('error', () => {});
  try {
    await once(socket, 'open', { signal });
    const say = (message: LivePageMessage) => socket.send(JSON.stringify(message));
    const follow = (id: number, app: string) =>
      say({
        type: 'subscribe',
        id,
        route: 'GET /api/apps/:id/logs',
        params: { id: app },
        query: { lines: '100000' },
        after: null,
      });
    if (Math.random() < 0.5) {
      for (let id = 1; id <= messagesAtOnce; id += 1) follow(id, 'nobody');
    } else {
      socket.pause();
      for (const [index, app] of appIds.entries()) follow(index + 1, app);
    }
    return await Promise.race([closed, pause(unreadMs, 'kept' as const, { signal })]);
  } finally {
    socket.terminate();
  }
}
