import { changeTopics } from '@homeport/contract/live/facts';
import type { TokenScope } from '@homeport/contract/tokens/facts';
import { hearsOf } from '@homeport/contract/tokens/topic-scope';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { notifyChange } from '../live/notify-change.ts';

let api: TestApi;
let ada: TestPerson;
beforeAll(async () => {
  // They go on as the time does, and a test can jump to the look-up of the next minute.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  vi.useRealTimers();
});

async function make(scopes: readonly TokenScope[], person = ada) {
  const made = await person.call('POST /api/tokens', { name: 'watcher', scopes, days: 30 });
  return bodyOf<{ token: string; record: { id: string } }>(made, 201);
}

const patient = { timeout: 10_000 };
const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

/** Follows the events as a program does. `ended` resolves when the console ends the stream. */
async function follow(token: string, lastEventId?: string) {
  const stop = new AbortController();
  stops.push(stop);
  const answer = await fetch(`${api.url}/api/events`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: stop.signal,
  });
  expect(answer.status).toBe(200);
  let text = '';
  const ended = (async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    return 'ended';
  })().catch(() => 'stopped');
  const topics = () => [...text.matchAll(/"topic":"([a-z-]+)"/g)].map(([, topic]) => topic);
  const lastId = () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  return {
    topics,
    lastId,
    ended,
    until: (topic: string) => vi.waitFor(() => expect(topics()).toContain(topic), patient),
  };
}

const tellAll = async (person = ada) => {
  for (const topic of changeTopics) await notifyChange(api.store.db, person.userId, topic, 'one');
};

describe('events by token', () => {
  const cases: [TokenScope, string[]][] = [
    ['servers:read', ['servers']],
    ['servers:write', ['servers']],
    ['apps:read', ['apps', 'readings', 'environment']],
    ['databases:read', ['databases']],
    ['proxies:read', ['proxies']],
    ['zones:read', ['zones']],
    ['keys:write', ['keys']],
    ['operations:read', ['operations']],
    ['stats:read', ['stats']],
  ];
  it.each(cases)('with %s tell of %s and of nothing else', async (scope, heard) => {
    const { token } = await make([scope]);
    const events = await follow(token);
    // The order of the topics: what is told last has every other one before it.
    await tellAll();
    await notifyChange(
      api.store.db,
      ada.userId,
      heard[0] === 'apps' ? 'environment' : (changeTopics.find((topic) => topic === heard[0]) ?? 'apps'),
      'last',
    );
    await vi.waitFor(() => expect(events.topics().length).toBe(heard.length + 1), patient);
    expect(new Set(events.topics())).toEqual(new Set(heard));
  });

  it('never tell a token of its person’s account', () => {
    const everything = ['servers', 'apps', 'databases', 'proxies', 'zones', 'keys', 'operations'].map(
      (area) => `${area}:write`,
    );
    for (const topic of [
      'profile',
      'sessions',
      'security-events',
      'tokens',
      'passkeys',
      'console',
      'github',
      'invitations',
      'destinations',
      'connections',
    ] as const)
      expect(hearsOf([...everything, 'stats:read'], topic), topic).toBe(false);
    for (const topic of changeTopics) expect(hearsOf(undefined, topic)).toBe(true);
  });

  it('tell nothing of another person', async () => {
    const eve = await api.signUp('eve');
    const { token } = await make(['servers:read', 'apps:read']);
    const events = await follow(token);
    await tellAll(eve);
    await notifyChange(api.store.db, ada.userId, 'servers', 'mine');
    await events.until('servers');
    expect(events.topics()).toEqual(['servers']);
  });

  it('resume: a program that comes back reads again what its scopes read', async () => {
    const { token } = await make(['apps:read']);
    const events = await follow(token);
    await notifyChange(api.store.db, ada.userId, 'apps', 'one');
    await events.until('apps');
    const again = await follow(token, events.lastId());
    await again.until('environment');
    expect(again.topics().toSorted()).toEqual(['apps', 'environment', 'readings']);
  });

  it.each([
    [
      'expired, which nobody announces',
      (id: string) =>
        api.store.db
          .updateTable('api_tokens')
          .set({ expires_at: Date.now() - 1 })
          .where('id', '=', id)
          .execute(),
    ],
    [
      'was revoked, and the notification was lost',
      (id: string) => api.store.db.deleteFrom('api_tokens').where('id', '=', id).execute(),
    ],
  ])('end at the next look-up for a token that %s', async (_what, end) => {
    const [going, other] = [await make(['servers:read']), await make(['servers:read'])];
    const [events, others] = [await follow(going.token), await follow(other.token)];
    await end(going.record.id);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await events.ended).toBe('ended');
    await notifyChange(api.store.db, ada.userId, 'servers', 'after');
    await others.until('servers');
    expect(events.topics()).toEqual([]);
  });
});
