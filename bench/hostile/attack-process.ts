import { linkServer, openAsPage, runToEnd, signUp } from '@homeport/api/testing';
import { z } from 'zod';
import { attackForParent } from './attack-for-parent.ts';
import { attacks, type Hostile } from './attacks.ts';
import { startHostileListeners } from './hostile-handshakes.ts';
import { apps, startHostileServer } from './hostile-server.ts';
import { createHttpClient } from './http-client.ts';
import { floodLiveSocket } from './live-socket.ts';

/** A hostile account with servers of its own, for `attacker.ts`. */
const optionsSchema = z.object({ url: z.url(), seconds: z.number().positive(), only: z.string() });

async function main(): Promise<void> {
  const { url, seconds, only } = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
  await using host = await startHostileServer();
  await using listeners = await startHostileListeners();
  const eve = await signUp(url, 'eve');
  const { server, connect } = await linkServer(url, eve, host);
  await connect();
  const call = async (key: string, body?: unknown) => {
    const answer = await eve.call(key, body);
    if (answer.status >= 300)
      throw new Error(`${key} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await runToEnd(eve, `POST /api/servers/${server.id}/import`, { longnames: apps });
  const appIds = idsOf(await call('GET /api/apps'));
  const poisonedServers: string[] = [];
  for (const port of listeners.ports) {
    const name = `poison${port}`;
    const added = { name, ip: '127.0.0.1', port, credential: 'password', subdomain: name };
    poisonedServers.push(idOf(await call('POST /api/servers', added)));
  }

  const means = (signal: AbortSignal): Hostile => ({
    // Three addresses, because the limit of requests a minute counts each address by itself.
    clients: ['127.0.0.3', '127.0.0.4', '127.0.0.5'].map((from) => createHttpClient(url, from, eve.cookie())),
    signal,
    serverId: server.id,
    appIds,
    poisonedServers,
    async open(id) {
      const last = await openAsPage(
        url,
        eve,
        { id, user: 'root' },
        { password: 'x' },
        `SHA256:${'A'.repeat(43)}`,
      );
      return last.type === 'failed' ? last.code : last.type;
    },
    floodLiveSocket: () => floodLiveSocket(url, eve.cookie(), appIds, signal),
  });
  await attackForParent(attacks, means, { seconds, only });
}

const idOf = (value: unknown) => z.object({ id: z.string() }).parse(value).id;
const idsOf = (value: unknown) =>
  z
    .array(z.object({ id: z.string() }))
    .parse(value)
    .map(({ id }) => id);

await main();
// Connections to the console that nobody reads would hold this process.
process.exit();
