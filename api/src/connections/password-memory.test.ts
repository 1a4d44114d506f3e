import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { agentSubprotocol } from '@homeport/contract/connections/facts';
import { consoleMessageSchema } from '@homeport/contract/connections/schema';
import { copiesInMemory, startPasswordServer } from '@homeport/ssh/testing';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';

const program = fileURLToPath(new URL('../testing/agent-socket-process.ts', import.meta.url));

it.skipIf(process.platform !== 'linux')(
  'leaves no copy of the page’s password in the console’s memory after the login',
  async () => {
    const password = randomBytes(18).toString('base64url');
    const word = randomBytes(18).toString('base64url');
    await using server = await startPasswordServer({ username: 'ines', password });
    const child = spawn(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', program, String(server.port), 'ines', word],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const [address] = (await once(child.stdout, 'data')) as [Buffer];
      const answer = await openByPassword(
        address.toString().trim().replace('http', 'ws'),
        server.hostKeyFingerprint,
        password,
      );
      expect(answer.type).toBe('ready');
      await wait(2_000);
      const found = copiesInMemory(child.pid ?? 0, { password, word });
      // The process keeps this word on purpose, which proves that the search works.
      expect(found.word).toBeGreaterThan(0);
      expect(found.password).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  },
  120_000,
);

/** Acts like the page: sends JSON first, and the password as one binary frame on request. */
async function openByPassword(consoleUrl: string, pin: string, password: string) {
  const serverId = randomUUID();
  const socket = new WebSocket(`${consoleUrl}/api/servers/${serverId}/connection`, [agentSubprotocol]);
  const ended = new Promise<ReturnType<typeof consoleMessageSchema.parse>>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const message = consoleMessageSchema.parse(JSON.parse(String(data)));
      if (message.type === 'prompt') socket.send(Buffer.from(password));
      else resolve(message);
    });
  });
  await once(socket, 'open');
  const opening = { type: 'open', openId: randomUUID(), serverId, user: 'ines', method: 'password', pin };
  socket.send(JSON.stringify(opening));
  return ended;
}
