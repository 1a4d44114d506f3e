import type { App, AppLogEvent } from '@homeport/contract/apps/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestVisitor } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { linkServer, type TestLink } from '../../testing/link-server.ts';
import { startRelay } from '../../testing/relay.ts';
import { type SandboxServer, startSandboxServer } from '../../testing/sandbox-host.ts';
import { visitApp } from '../../testing/visit-app.ts';

let api: TestApi;
let host: SandboxServer;
let relay: Awaited<ReturnType<typeof startRelay>>;
let ines: TestVisitor;
let link: TestLink;
let app: App;

/** Numbers its lines, so that missing and repeated lines show. */
const program = `
const { createServer } = require('node:http');
let number = 0;
const say = (lines) => { for (let line = 0; line < lines; line += 1) console.log('web says ' + ++number + ' ' + 'x'.repeat(number % 90)); };
createServer((request, response) => {
  if (request.url === '/burst') say(12000);
  response.end('ok');
}).listen(process.env.PORT);
setInterval(() => say(20), 10);
`;
const worker = `let number = 0; setInterval(() => console.log('worker says ' + ++number), 20);`;

beforeAll(async () => {
  api = await startTestApi();
  host = await startSandboxServer();
  relay = await startRelay(host.sshd.port);
  ines = await api.signUp('ines');
  link = await linkServer(api.url, ines, host, relay.port);
  await link.connect();
  app = await deployApp(ines, link, {
    Procfile: 'web: node web.js\nworker: node worker.js\n',
    'web.js': program,
    'worker.js': worker,
  });
  await host.dokku('ps:scale', app.longname, 'worker=1');
}, 180_000);
afterAll(async () => {
  await relay?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

type Reading = { events: AppLogEvent[]; texts: string[]; lastId: string | null };
const nothingRead = (): Reading => ({ events: [], texts: [], lastId: null });

/** Reads on from the position of `reading` until `enough` returns true or the stream ends. */
async function readOn(reading: Reading, enough: (reading: Reading) => boolean, query = ''): Promise<void> {
  const leave = new AbortController();
  const answer = await ines.open(`GET /api/apps/${app.id}/logs${query}`, {
    signal: AbortSignal.any([leave.signal, AbortSignal.timeout(30_000)]),
    headers: reading.lastId === null ? {} : { 'last-event-id': reading.lastId },
  });
  expect(answer.status, await (answer.ok ? '' : answer.text())).toBe(200);
  if (!answer.body) throw new Error('The stream has no body.');
  let rest = '';
  let id: string | null = null;
  try {
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('id:')) id = line.slice(3).trim();
        if (!line.startsWith('data:')) continue;
        const event = JSON.parse(line.slice(5)) as AppLogEvent;
        reading.events.push(event);
        reading.lastId = id ?? reading.lastId;
        if (event.type === 'lines') reading.texts.push(...event.lines.map(({ text }) => text));
        if (enough(reading)) return;
      }
    }
  } finally {
    leave.abort();
  }
}

const numbersOf = (texts: readonly string[], process: 'web' | 'worker') =>
  texts.flatMap((text) => {
    const [, of, number] = /^(web|worker) says (\d+)(?: x*)?$/.exec(text) ?? [];
    return of === process ? [Number(number)] : [];
  });
/** Checks that each number from the first to the last occurs once and in order. */
const withoutGap = (numbers: readonly number[]) => numbers.map((_, index) => (numbers[0] ?? 0) + index);
const has = (count: number) => (reading: Reading) => reading.texts.length >= count;
const typesOf = (reading: Reading) => new Set(reading.events.map(({ type }) => type));

test('a resumed log shows each line once', async () => {
  const reading = nothingRead();
  for (const count of [300, 1_500, 3_000]) await readOn(reading, has(count), '?lines=50');
  for (const process of ['web', 'worker'] as const) {
    const numbers = numbersOf(reading.texts, process);
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers).toEqual(withoutGap(numbers));
  }
  expect(reading.texts).toHaveLength(
    numbersOf(reading.texts, 'web').length + numbersOf(reading.texts, 'worker').length,
  );
  expect(typesOf(reading)).toEqual(new Set(['lines']));
}, 60_000);

test('a broken connection loses no line, repeats none and shows no half line', async () => {
  const reading = nothingRead();
  for (let round = 1; round <= 4; round += 1) {
    const before = reading.texts.length;
    const cutAt = before + 700;
    await readOn(
      reading,
      ({ events, texts }) => {
        if (texts.length >= cutAt) relay.cut();
        return events.at(-1)?.type === 'ended';
      },
      '?lines=20',
    );
    expect(reading.events.at(-1)).toEqual({
      type: 'ended',
      reason: 'The connection to the server was lost.',
    });
    await link.connect();
  }
  const web = numbersOf(reading.texts, 'web');
  expect(web.length).toBeGreaterThan(2_000);
  expect(web).toEqual(withoutGap(web));
  expect(reading.texts).toHaveLength(web.length + numbersOf(reading.texts, 'worker').length);
  expect(typesOf(reading)).toEqual(new Set(['lines', 'ended']));
}, 60_000);

test('the log marks the place where more lines were written than it reads again', async () => {
  const reading = nothingRead();
  await readOn(reading, has(100), '?lines=20&process=web');
  const before = reading.texts.length;
  await visitApp(host, app.domains[0] ?? '', '/burst');
  await readOn(reading, has(before + 10_500), '?lines=20&process=web');
  expect(reading.events.filter(({ type }) => type !== 'lines')).toEqual([
    { type: 'missing', process: 'web.1' },
  ]);
  const web = numbersOf(reading.texts, 'web');
  const [seen, after] = [web.slice(0, before), web.slice(before)];
  expect(seen).toEqual(withoutGap(seen));
  expect(after).toEqual(withoutGap(after));
  expect(after[0]).toBeGreaterThan((seen.at(-1) ?? 0) + 1);
}, 60_000);

test('one kind of process can be read alone, and an invalid process type is refused', async () => {
  const reading = nothingRead();
  await readOn(reading, has(20), '?process=worker&lines=10');
  expect(numbersOf(reading.texts, 'worker')).toHaveLength(reading.texts.length);
  const refused = await ines.call(`GET /api/apps/${app.id}/logs?process=--tail`);
  expect(refused).toMatchObject({ status: 400, body: { fields: { process: expect.any(String) } } });
});
