import { changeSchema } from '@homeport/contract/live/schema';
import { notify } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi, type TestPerson, type TestVisitor } from '../http/testing.ts';
import { plantServer } from '../testing/plant.ts';
import { createMailbox } from './mailbox.ts';
import { notifyChange } from './notify-change.ts';

const topics = changeSchema.shape.topic.options;

type Seen = { id: string; data: { topic: string; id: string | null } };

/** Follows the events like a browser. */
async function follow(person: TestVisitor, lastEventId?: string, query = '') {
  const stop = new AbortController();
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const answer = await person.open(`GET /api/events${query}`, { headers, signal: stop.signal });
  expect(answer.status).toBe(200);
  const seen: Seen[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
        if (id !== undefined && data !== undefined) seen.push({ id, data: JSON.parse(data) });
        text = text.slice(end + 2);
      }
    }
  })().catch(() => {});
  const until = (count: number) =>
    vi.waitFor(() => expect(seen.length).toBeGreaterThanOrEqual(count), 20_000);
  const close = async () => {
    stop.abort();
    await reading;
  };
  return { seen, until, close };
}

describe('live changes', () => {
  let api: TestApi;
  let ada: TestPerson;
  let eve: TestPerson;
  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.signUp('ada');
    eve = await api.signUp('eve');
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it('reach every page of their owner and nobody else’s', async () => {
    const [first, second, other] = [await follow(ada), await follow(ada), await follow(eve)];
    await notifyChange(api.store.db, ada.userId, 'servers', 'one');
    await Promise.all([first.until(1), second.until(1)]);
    await notifyChange(api.store.db, eve.userId, 'apps', null);
    await other.until(1);
    expect(first.seen.map(({ data }) => data)).toEqual([{ topic: 'servers', id: 'one' }]);
    expect(second.seen.map(({ data }) => data)).toEqual([{ topic: 'servers', id: 'one' }]);
    expect(other.seen.map(({ data }) => data)).toEqual([{ topic: 'apps', id: null }]);
    await Promise.all([first, second, other].map(({ close }) => close()));
  });

  it('are sent when the transaction commits, and not when it is rolled back', async () => {
    const events = await follow(ada);
    await api.store.db
      .transaction()
      .execute(async (transaction) => {
        await notifyChange(transaction, ada.userId, 'servers', 'undone');
        throw new Error('undo');
      })
      .catch(() => {});
    await api.store.db
      .transaction()
      .execute((transaction) => notifyChange(transaction, ada.userId, 'servers', 'kept'));
    await events.until(1);
    expect(events.seen.map(({ data }) => data.id)).toEqual(['kept']);
    await events.close();
  });

  it('make a page that reconnects read everything again', async () => {
    const [events, other] = [await follow(ada), await follow(ada)];
    await notifyChange(api.store.db, ada.userId, 'keys', null);
    await events.until(1);
    await events.close();
    await notifyChange(api.store.db, ada.userId, 'servers', 'missed');
    // Otherwise the change could arrive after the page has come back.
    await other.until(2);
    await other.close();

    const again = await follow(ada, events.seen[0]?.id);
    await again.until(topics.length);
    expect(again.seen.map(({ data }) => data)).toEqual(topics.map((topic) => ({ topic, id: null })));
    await again.close();
  });

  it('make a page that says when it read read again what changed since', async () => {
    const listening = await follow(ada);
    await notifyChange(api.store.db, ada.userId, 'servers', 'between');
    await listening.until(1);
    const late = await follow(ada, undefined, '?readMsAgo=200');
    await late.until(topics.length);
    expect(late.seen.map(({ data }) => data)).toEqual(topics.map((topic) => ({ topic, id: null })));
    await Promise.all([listening, late].map(({ close }) => close()));
  });

  it('include the reports of one’s own servers, under the server’s id', async () => {
    const plant = (owner: string, name: string) =>
      plantServer(api.store.db, owner, { monitor_id: `monitor-${name}` });
    const mine = await plant(ada.userId, 'mine');
    await plant(eve.userId, 'hers');
    const events = await follow(ada);
    for (const name of ['hers', 'mine', 'nobody'])
      await notify(api.store.db, 'reports', { monitorIds: [`monitor-${name}`] });
    await events.until(1);
    expect(events.seen.map(({ data }) => data)).toEqual([{ topic: 'stats', id: mine.id }]);
    await events.close();
  });

  it('stop when the session ends', async () => {
    const bob = await api.signUp('bob');
    const answer = await bob.open('GET /api/events', { signal: AbortSignal.timeout(10_000) });
    await bob.call('POST /api/auth/sign-out');
    // The end of the stream is the end of this text. Before it, the page may hear that the list of sign-ins changed.
    const told = (await answer.text()).match(/"topic":"[a-z]+"/g) ?? [];
    expect(told.filter((topic) => topic !== '"topic":"sessions"')).toEqual([]);
  });
});

describe('a mailbox', () => {
  it('holds each change once, and everything when its reader falls far behind', async () => {
    const stop = new AbortController();
    const mailbox = createMailbox(stop.signal);
    for (let i = 0; i < 3; i += 1) mailbox.put({ topic: 'keys', id: 'same' });
    const iterator = mailbox[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toEqual({ topic: 'keys', id: 'same' });

    for (let i = 0; i < 201; i += 1) mailbox.put({ topic: 'keys', id: String(i) });
    const rest = [];
    while (rest.length < topics.length) rest.push((await iterator.next()).value);
    expect(rest).toEqual(topics.map((topic) => ({ topic, id: null })));

    const ending = iterator.next();
    stop.abort();
    expect((await ending).done).toBe(true);
  });
});
