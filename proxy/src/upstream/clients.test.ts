import { afterAll, beforeAll, expect, it } from 'vitest';
import { startUpstream, type TestUpstream } from '../testing/start-plane.ts';
import { type Clients, createClients } from './clients.ts';

let upstream: TestUpstream;
let answerOne: (() => void)[] = [];
beforeAll(async () => {
  upstream = await startUpstream((_req, res) => void answerOne.push(() => res.end('answer')));
});
afterAll(() => upstream.close());

const open = (ageMs = 60_000) => createClients(upstream.origin, { pipelining: 1 }, { most: 2, ageMs });
const ask = async ({ dispatcher }: Clients) =>
  (await dispatcher.request({ path: '/', method: 'GET' })).body.text();
/** Lets everything answer that the upstream has got and will get. */
const answerAll = async (until: number) => {
  let answered = 0;
  await expect
    .poll(() => {
      for (const answer of answerOne.splice(0)) {
        answer();
        answered += 1;
      }
      return answered;
    })
    .toBe(until);
};

it('opens connections up to a bound, and what waits gets the next free one in turn', async () => {
  const clients = open();
  const order: number[] = [];
  const asked = Array.from({ length: 6 }, (_, index) => ask(clients).then(() => order.push(index)));
  await expect.poll(() => answerOne.length).toBe(2);
  await answerAll(6);
  await Promise.all(asked);
  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(order.slice(4).toSorted()).toEqual([4, 5]);
  const sockets = new Set(upstream.seen.map(({ socket }) => socket));
  expect(sockets.size).toBe(2);
  await clients.destroy();
});

it('uses a connection no longer than its age', async () => {
  const clients = open(0);
  upstream.seen.length = 0;
  for (let left = 2; left > 0; left -= 1) {
    const asked = ask(clients);
    await answerAll(1);
    await asked;
  }
  expect(new Set(upstream.seen.map(({ socket }) => socket)).size).toBe(2);
  await clients.destroy();
});

it('fails what is under way and what waits when it is destroyed', async () => {
  const clients = open();
  const asked = Promise.allSettled(Array.from({ length: 4 }, () => ask(clients)));
  await expect.poll(() => answerOne.length).toBe(2);
  await clients.destroy();
  expect((await asked).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
  answerOne = [];
});

it('opens a new connection after one that could not be opened', async () => {
  const gone = await startUpstream((_req, res) => res.end('answer'));
  const clients = createClients(gone.origin, { pipelining: 1 }, { most: 1, ageMs: 60_000 });
  await gone.close();
  const asked = await Promise.allSettled([ask(clients), ask(clients), ask(clients)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await new Promise<void>((resolve) => gone.server.listen(gone.port, '127.0.0.1', resolve));
  expect(await ask(clients)).toBe('answer');
  await clients.destroy();
  await gone.close();
});
