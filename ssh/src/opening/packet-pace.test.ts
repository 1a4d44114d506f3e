import { packetPace } from '@homeport/contract/limits';
import type { Connection as ServerConnection } from 'ssh2';
import { expect, it } from 'vitest';
import { makeKey, signerFor, startOlderServer } from '../../testing/index.ts';
import { openConnection } from '../index.ts';
import { PacketPace, pacePackets } from './packet-pace.ts';
import { protocolOf, sendPayload } from './ssh2-protocol.ts';
import { wireString } from './wire.ts';

const { atOnce, perSecond } = packetPace;

it('lets so many packets through at once, and then so many a second', () => {
  let now = 0;
  const pace = new PacketPace(() => now);
  for (let n = 0; n < atOnce; n += 1) expect(pace.take()).toBe(true);
  expect(pace.take()).toBe(false);
  expect(pace.waitMs()).toBe(Math.ceil(1_000 / perSecond));
  now += 500;
  for (let n = 1; n < perSecond / 2; n += 1) expect(pace.take()).toBe(true);
  expect(pace.take()).toBe(false);
  now += 60_000;
  expect(pace.isAtRest).toBe(true);
  expect(pace.waitMs()).toBe(0);
});

it('reads no connection on while their common pace is used up, and all of them afterwards', async () => {
  let now = 0;
  const pace = new PacketPace(() => now);
  const states = new Map<string, string>();
  const socket = (name: string) => ({
    destroyed: false,
    pause: () => void states.set(name, 'held'),
    resume: () => void states.set(name, 'read'),
  });
  const [one, other] = [pacePackets(socket('one'), pace), pacePackets(socket('other'), pace)];
  for (let n = 0; n < atOnce; n += 1) one();
  expect(states.size).toBe(0);
  other();
  expect([...states]).toEqual([['other', 'held']]);
  one();
  expect(states.get('one')).toBe('held');
  now += 60_000;
  await expect.poll(() => [...states.values()]).toEqual(['read', 'read']);
});

it('answers a server that sent packets without end, once it has stopped', async () => {
  const key = makeKey('ed25519');
  let flooded = 0;
  const flood = (client: ServerConnection) => {
    for (; flooded < 2 * atOnce; flooded += 1)
      sendPayload(protocolOf(client), [Buffer.of(2), wireString('x')]);
  };
  await using server = await startOlderServer({
    authorizedKey: key.publicKeyLine,
    onCommand: (command, _channel, client) => {
      if (command.includes('flood')) flood(client);
      return false;
    },
  });
  let now = 0;
  const pace = new PacketPace(() => now);
  const connection = await openConnection({
    ...{ host: server.host, port: server.port, username: 'ines', plainAllowed: true, pace },
    pinnedHostKey: server.hostKeyFingerprint,
    credential: { method: 'agent', signer: signerFor(key.privateKeyPem) },
  });
  try {
    let isAnswered = false;
    const answer = connection.exec({ argv: ['flood'], deadlineMs: 60_000 }).finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => pace.waitMs(), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(isAnswered).toBe(false);
    // By its own clock the pace is at rest from here on.
    now = Number.MAX_SAFE_INTEGER;
    expect((await answer).stdout).toContain('flood');
  } finally {
    connection.close();
  }
}, 60_000);
