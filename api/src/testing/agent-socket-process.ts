import { connect } from 'node:net';
import websocket from '@fastify/websocket';
import { ConnectionPool } from '@homeport/ssh';
import Fastify from 'fastify';
import { createAgentSocket } from '../connections/agent-socket.ts';

/**
 * The console's end of the page's socket in a process of its own, for one server with a password. A test
 * searches this process's memory for the password. Arguments: the server's port, its account, and a word to
 * keep in memory.
 */
async function main([port = '', user = '', word = '']: string[]): Promise<void> {
  const kept = Buffer.from(word);
  const app = Fastify();
  await app.register(websocket);
  const handle = createAgentSocket({
    pool: new ConnectionPool(),
    findServer: async () => ({
      host: '127.0.0.1',
      port: Number(port),
      usernames: [user],
      hasConsoleAccount: false,
      credential: { kind: 'password' },
      pinnedHostKey: null,
    }),
    targets: { refuses: () => null, connect: (to, options) => connect({ ...to, ...options }) },
    clock: Date.now,
    ceilings: { openings: 1, connections: 1 },
  });
  const session = { userId: 'owner', sessionId: 'session' };
  app.get<{ Params: { id: string } }>('/api/servers/:id/connection', { websocket: true }, (socket, request) =>
    handle(socket, { serverId: request.params.id, session, log: request.log }),
  );
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
  // The parent ends this process. Until then it collects garbage even when it is idle.
  setInterval(() => globalThis.gc?.(), 200);
  process.on('exit', () => kept.fill(0));
}

void main(process.argv.slice(2));
