import { plantOneOfEach } from '@homeport/api/testing/plant';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '@homeport/api/testing/test-api';
import type { TokenScope } from '@homeport/contract/tokens/facts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerJson, someToken, startLyingConsole } from '../testing/lying-console.ts';
import { testHome } from '../testing/terminal.ts';

const home = testHome();
let api: TestApi;
let ada: TestPerson;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
  await plantOneOfEach(api.store.db, ada.userId);
});
afterAll(async () => {
  home[Symbol.dispose]();
  await api?.[Symbol.asyncDispose]();
});

const change = (topic: 'servers' | 'apps' | 'keys', id: string | null) =>
  api.store.notify('changed', { owner: ada.userId, topic, id });

async function envWith(scopes: readonly TokenScope[]) {
  const made = await ada.call('POST /api/tokens', { name: 'watcher', scopes, days: 30 });
  const { token, record } = bodyOf<{ token: string; record: { id: string } }>(made, 201);
  return { id: record.id, env: { HOMEPORT_URL: api.url, HOMEPORT_TOKEN: token } };
}

/** Follows the events until `enough`. Changes are made again and again until the stream has begun. */
async function follow(argv: string[], scopes: TokenScope[], enough: (out: string) => boolean) {
  const stop = new AbortController();
  let out = '';
  const { env } = await envWith(scopes);
  const ran = home.run(argv, {
    env,
    interrupted: stop.signal,
    onOut: (text) => {
      out += text;
      if (enough(out)) stop.abort();
    },
  });
  while (!stop.signal.aborted) {
    await change('keys', 'a key');
    await change('servers', 'a server');
    await change('apps', null);
  }
  return ran;
}

describe('events', () => {
  it('prints one change a line, of what the token may read, and ends at Ctrl-C', async () => {
    const { exit, out } = await follow(
      ['events'],
      ['servers:read', 'apps:read'],
      (text) => text.split('\n').length > 4,
    );
    expect(exit).toBe(130);
    expect(new Set(out.trimEnd().split('\n'))).toEqual(new Set(['servers\ta server', 'apps\t-']));
  });

  it('prints the api’s own events with --json', async () => {
    const { out } = await follow(['events', '--json'], ['apps:read'], (text) => text.includes('\n'));
    expect(JSON.parse(out.split('\n')[0] ?? '')).toEqual({ topic: 'apps', id: null });
  });

  it('of a token that is revoked ends with 4', async () => {
    const { env, id } = await envWith(['apps:read']);
    let revoked: Promise<unknown> | undefined;
    const ran = home.run(['events'], {
      env,
      onOut: () => {
        revoked ??= ada.call(`DELETE /api/tokens/${id}`);
      },
    });
    const over = ran.then(() => 'over');
    while ((await Promise.race([over, change('apps', null)])) !== 'over');
    const { exit, err } = await ran;
    expect(exit).toBe(4);
    expect(err).toContain('homeport login');
    await revoked;
  });

  it('goes on at its place when the console comes back, and gives up when it does not', async () => {
    const asked: (string | undefined)[] = [];
    await using console = await startLyingConsole((request, response) => {
      asked.push(request.headers['last-event-id']?.toString());
      if (asked.length === 2 || asked.length === 3) {
        response.destroy();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        asked.length < 5 ? `id: ${asked.length}\ndata: {"topic":"apps","id":"${asked.length}"}\n\n` : '',
      );
    });
    const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
    const { exit, out } = await home.run(['events', '--json'], { env });
    expect(out.trimEnd().split('\n')).toEqual(['{"topic":"apps","id":"1"}', '{"topic":"apps","id":"4"}']);
    expect(asked.slice(0, 5)).toEqual([undefined, '1', '1', '1', '4']);
    expect(exit).toBe(1);
    expect(asked.length).toBeLessThan(20);
  });

  it('that broke off before the first change asks for what it missed', async () => {
    const paths: (string | undefined)[] = [];
    await using console = await startLyingConsole((request, response) => {
      paths.push(request.url);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end();
    });
    await home.run(['events'], { env: { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken } });
    expect(paths[0]).toBe('/api/events');
    expect(paths[1]).toMatch(/^\/api\/events\?readMsAgo=\d+$/);
  });

  it('does not try again where nothing answers, or where the token may not listen', async () => {
    const nowhere = { HOMEPORT_URL: 'http://127.0.0.1:9', HOMEPORT_TOKEN: someToken };
    expect((await home.run(['events'], { env: nowhere })).exit).toBe(1);
    await using console = await startLyingConsole((_request, response) =>
      answerJson(response, { code: 'not_allowed', message: 'No.', recovery: 'Ask.' }, 403),
    );
    const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
    expect((await home.run(['events'], { env })).exit).toBe(4);
    expect(console.heard).toHaveLength(1);
  });

  it('makes one line of an event that a console spreads over several', async () => {
    await using console = await startLyingConsole((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"topic":"a\\u001b[2J",\ndata: "id":null,"more":1}\n\n');
    });
    const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
    const first = async (argv: string[]) => {
      const stop = new AbortController();
      const ran = await home.run(argv, { env, interrupted: stop.signal, onOut: () => stop.abort() });
      return ran.out.split('\n')[0] ?? '';
    };
    expect(JSON.parse(await first(['events', '--json']))).toEqual({ topic: 'a\u001b[2J', id: null, more: 1 });
    expect(await first(['events'])).not.toContain('\u001b');
  });

  it('ends well when its reader has read enough', async () => {
    const gone = new AbortController();
    const { env } = await envWith(['apps:read']);
    const ran = home.run(['events'], { env, readerGone: gone.signal, onOut: () => gone.abort() });
    while (!gone.signal.aborted) await change('apps', null);
    expect((await ran).exit).toBe(0);
  });
});

it('another command whose reader is gone ends with 1', async () => {
  const { env } = await envWith(['apps:read']);
  expect((await home.run(['apps'], { env, readerGone: AbortSignal.abort() })).exit).toBe(1);
});
