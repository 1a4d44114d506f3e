import type { AppLogEvent } from '@homeport/contract/apps/schema';
import type { LiveConsoleMessage } from '@homeport/contract/live/schema';
import type { OperationEvent } from '@homeport/contract/operations/schema';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sessionsGone } from '../identity/end-sessions.ts';
import { deployApp } from '../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { type LivePage, openLivePage } from '../testing/page.ts';
import { notifyChange } from './notify-change.ts';

/** Follows each stream of the table over a page's socket, on the whole api with a real server. */

let linked: LinkedConsole;
let app: { id: string };
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, {
    Procfile: 'web: node server.mjs\n',
    'server.mjs': `import { createServer } from 'node:http';
createServer((_request, answer) => answer.end('ahoy')).listen(process.env.PORT);
let beat = 0;
setInterval(() => console.log('beat ' + ++beat), 50);
`,
  });
}, 120_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const pages: LivePage[] = [];
afterEach(() => {
  for (const page of pages.splice(0)) page.close();
});
async function openPage(): Promise<LivePage> {
  const page = await openLivePage(linked.api.url, linked.ines);
  pages.push(page);
  return page;
}

const eventsOf = <T>({ heard }: LivePage, subscription: number) =>
  heard.filter(
    (message): message is Extract<LiveConsoleMessage, { type: 'event' }> & { data: T } =>
      message.type === 'event' && message.id === subscription,
  );
const patient = { timeout: 15_000 };

test('changes reach the page of their owner', async () => {
  const page = await openPage();
  const id = page.subscribe('GET /api/events');
  await vi.waitFor(() => expect(page.heard).toEqual([{ type: 'opened', id }]), patient);
  await notifyChange(linked.api.store.db, linked.ines.userId, 'keys', 'one');
  await vi.waitFor(
    () => expect(eventsOf(page, id).map(({ data }) => data)).toEqual([{ topic: 'keys', id: 'one' }]),
    patient,
  );
});

test('an operation is followed to its end, and resumed after the last line seen', async () => {
  const { body } = await linked.ines.call('GET /api/operations');
  const [operation] = body as { id: string }[];
  const params = { id: operation?.id ?? '' };
  const page = await openPage();
  const whole = page.subscribe('GET /api/operations/:id/events', { params });
  await vi.waitFor(() => expect(page.heard.at(-1)).toEqual({ type: 'end', id: whole }), patient);
  const numbers = (subscription: number) =>
    eventsOf<OperationEvent>(page, subscription).flatMap(({ data }) =>
      data.type === 'lines' ? data.lines.map(({ seq }) => seq) : [],
    );
  const all = numbers(whole);
  expect(all.length).toBeGreaterThan(2);

  const after = all[1] ?? 0;
  const rest = page.subscribe('GET /api/operations/:id/events', { params, after: String(after) });
  await vi.waitFor(() => expect(page.heard.at(-1)).toEqual({ type: 'end', id: rest }), patient);
  expect(numbers(rest)).toEqual(all.filter((seq) => seq > after));
});

test('an app’s log resumes after the last line seen, without a gap or a repeat', async () => {
  const beats = (page: LivePage, subscription: number) =>
    eventsOf<AppLogEvent>(page, subscription).flatMap(({ data }) =>
      data.type === 'lines'
        ? data.lines.flatMap(({ text }) => {
            const [, beat] = /^beat (\d+)$/.exec(text) ?? [];
            return beat === undefined ? [] : [Number(beat)];
          })
        : [],
    );
  const log = { params: { id: app.id }, query: { lines: '5' } };
  const first = await openPage();
  const before = first.subscribe('GET /api/apps/:id/logs', log);
  await vi.waitFor(() => expect(beats(first, before).length).toBeGreaterThan(10), patient);
  first.close();
  await first.closed;
  const after = eventsOf(first, before).at(-1)?.eventId;
  expect(after).toEqual(expect.any(String));

  const second = await openPage();
  const then = second.subscribe('GET /api/apps/:id/logs', { ...log, after: after ?? '' });
  await vi.waitFor(() => expect(beats(second, then).length).toBeGreaterThan(10), patient);
  const seen = [...beats(first, before), ...beats(second, then)];
  expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
});

test('the log of the last deploy is sent from its beginning', async () => {
  const page = await openPage();
  const id = page.subscribe('GET /api/apps/:id/deploy-log', { params: { id: app.id } });
  await vi.waitFor(
    () =>
      expect(
        eventsOf<AppLogEvent>(page, id)
          .map(({ data }) => data.type)
          .filter((type) => type !== 'changed')
          .slice(0, 2),
      ).toEqual(['anew', 'lines']),
    patient,
  );
});

test('refuses input with the same problem as the route over HTTP', async () => {
  const page = await openPage();
  const id = page.subscribe('GET /api/apps/:id/logs', { params: { id: app.id }, query: { lines: '0' } });
  const { body } = await linked.ines.call(`GET /api/apps/${app.id}/logs?lines=0`);
  await vi.waitFor(() => expect(page.heard).toEqual([{ type: 'failed', id, problem: body }]), patient);
});

test('a stream that needs a connection names the account', async () => {
  await linked.ines.call(`DELETE /api/servers/${linked.server.id}/connection`);
  const page = await openPage();
  page.subscribe('GET /api/apps/:id/logs', { params: { id: app.id } });
  await vi.waitFor(
    () =>
      expect(page.heard).toMatchObject([
        {
          type: 'failed',
          problem: { code: 'connection_required', connection: { serverId: linked.server.id } },
        },
      ]),
    patient,
  );
});

test('finds a session that ended without a notification', async () => {
  const ids = (await linked.api.store.db.selectFrom('auth.session').select('id').execute()).map(
    ({ id }) => id,
  );
  const over = '00000000-0000-4000-8000-000000000000';
  expect(await sessionsGone(linked.api.store, [...ids, over])).toEqual([over]);
  expect(await sessionsGone(linked.api.store, [])).toEqual([]);
});

test('the socket closes at sign-out', async () => {
  const page = await openPage();
  await linked.ines.call('POST /api/auth/sign-out');
  expect((await page.closed).code).toBe(1008);
});
