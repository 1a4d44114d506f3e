import { once, setMaxListeners } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { linkServer, openAsPage, runToEnd, signUp } from '@homeport/api/testing';
import { z } from 'zod';
import { type Attack, attacks, type Hostile } from './attacks.ts';
import { startHostileListeners } from './hostile-handshakes.ts';
import { apps, startHostileServer } from './hostile-server.ts';
import { createHttpClient } from './http-client.ts';
import { floodLiveSocket } from './live-socket.ts';

/**
 * A hostile account with servers of its own, in a process of its own so that its work does not count as the console's. Sends
 * `ready` to its parent when everything is linked, begins at `go`, and ends by itself with the answers to each attack.
 */
const optionsSchema = z.object({ url: z.url(), seconds: z.number().positive(), only: z.string() });

async function main(): Promise<void> {
  // An attacker would be another machine, so the attack's own computing must not take the console's processor.
  setPriority(constants.priority.PRIORITY_LOW);
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

  process.send?.('ready');
  await new Promise((resolve) => process.once('message', resolve));
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const end = setTimeout(() => stop.abort(), seconds * 1_000);
  const hostile: Hostile = {
    // Three addresses, because the limit of requests a minute counts each address by itself.
    clients: ['127.0.0.3', '127.0.0.4', '127.0.0.5'].map((from) => createHttpClient(url, from, eve.cookie())),
    signal: stop.signal,
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
    floodLiveSocket: () => floodLiveSocket(url, eve.cookie(), appIds, stop.signal),
  };
  const chosen = attacks.filter(({ name }) => name.includes(only));
  const tallies = await Promise.all(chosen.map((attack) => run(attack, hostile)));
  clearTimeout(end);
  process.send?.({ tallies: Object.fromEntries(chosen.map(({ name }, index) => [name, tallies[index]])) });
  process.disconnect();
}

/** Runs an attack until the signal. Counts its answers, so that an attack without effect shows. */
async function run(attack: Attack, hostile: Hostile): Promise<Record<string, number>> {
  const tally: Record<string, number> = {};
  const over = once(hostile.signal, 'abort').then(() => 'unanswered at the end');
  const lane = async () => {
    while (!hostile.signal.aborted) {
      const tried = attack
        .once(hostile)
        .catch((error: unknown) => (error instanceof Error ? error.message.slice(0, 60) : 'failed'));
      const answer = await Promise.race([tried, over]);
      tally[String(answer)] = (tally[String(answer)] ?? 0) + 1;
      await pause(attack.everyMs, undefined, { signal: hostile.signal }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: attack.width }, lane));
  return tally;
}

const idOf = (value: unknown) => z.object({ id: z.string() }).parse(value).id;
const idsOf = (value: unknown) =>
  z
    .array(z.object({ id: z.string() }))
    .parse(value)
    .map(({ id }) => id);

await main();
