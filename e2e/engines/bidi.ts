import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';

/** A session over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export type Bidi = {
  /** Sends a command and resolves with its result. Rejects with the browser's own message. */
  command(method: string, params: object): Promise<unknown>;
};

const messageSchema = z.object({
  id: z.number().optional(),
  type: z.string(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  message: z.string().optional(),
});

/** Opens a session at a browser's address. `onEvent` hears the events that a command subscribes to. */
export async function openBidi(
  address: string,
  onEvent: (method: string, params: unknown) => void,
): Promise<Bidi> {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  socket.on('message', (data) => {
    const { id, type, method, params, result, message } = messageSchema.parse(JSON.parse(String(data)));
    if (type === 'event' && method !== undefined) onEvent(method, params);
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || !asked) return;
    waiting.delete(id);
    if (type === 'success') asked.resolve(result);
    else asked.reject(new Error(`The browser: ${message}`));
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser closed its socket.'));
    waiting.clear();
  });
  let last = 0;
  const command = (method: string, params: object) => {
    last += 1;
    const id = last;
    return new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  };
  await command('session.new', { capabilities: {} });
  return { command };
}
