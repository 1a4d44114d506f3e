import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorCatalogue } from '@homeport/contract/problems/facts';
import { afterAll, describe, expect, it } from 'vitest';
import { answerJson, someToken, startLyingConsole } from '../testing/lying-console.ts';
import { testHome } from '../testing/terminal.ts';

const home = testHome();
afterAll(() => home[Symbol.dispose]());

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs a command against a console that answers so, and tells what the console heard. */
async function against(answer: Answer, argv: string[], isRead = false) {
  await using console = await startLyingConsole(answer);
  const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
  return { ...(await home.run(argv, { env, isRead })), heard: console.heard };
}

/** What a terminal obeys, or does not show: C0, DEL, C1, a mark that turns the direction, one without width, a tag. */
const hostile = 'a\u001b]0;x\u0007\u001b[2J\rb\u007fc\u009b2Jd\u202ee\u200bf\u{e0061}\tg\nh';
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u200b]|\u{e0061}/u;

const app = (name: string) => ({
  ...{ id: '6f0c6b0e-1c0b-4c7e-9d4e-2f1f3a0a0a0a', name, longname: name, serverName: name, monitorId: 'm' },
  ...{ domains: [name], url: name, stopped: false, crash: null, startedAt: null, unread: false },
  ...{
    missingSince: null,
    deployment: { status: 'never', at: null },
    somethingNewer: { of: 'a later version' },
  },
});

describe('what a server, an app or a console says', () => {
  const lists: Answer = ({ url = '' }, response) =>
    answerJson(
      response,
      url === '/api/apps' ? [app(hostile)] : url.startsWith('/api/apps/') ? app(hostile) : [],
    );

  it.each([[true], [false]])('is one line that no terminal obeys', async (isRead) => {
    for (const argv of [['apps'], ['app', hostile]]) {
      const { exit, out } = await against(lists, argv, isRead);
      expect(exit).toBe(0);
      expect(out).not.toMatch(obeyed);
    }
    const { out } = await against(lists, ['apps']);
    expect(out.split('\n')).toHaveLength(2);
    expect(out.split('\t')).toHaveLength(5);
  });

  it('is spelled out in JSON, so that a program reads it unchanged', async () => {
    const { out } = await against(lists, ['apps', '--json']);
    expect(out).not.toMatch(obeyed);
    expect(JSON.parse(out)).toEqual([app(hostile)]);
  });

  it('is spelled out in a problem, too', async () => {
    const problem = { code: 'not_found', message: hostile, recovery: hostile };
    for (const argv of [['apps'], ['apps', '--json']]) {
      const { err, out } = await against((_request, response) => answerJson(response, problem, 404), argv);
      expect(out).toBe('');
      expect(err).not.toMatch(obeyed);
    }
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %i is not followed, and the token goes nowhere',
    async (status) => {
      await using other = await startLyingConsole((_request, response) => answerJson(response, []));
      const { exit, err, heard } = await against(
        (_request, response) => response.writeHead(status, { location: `${other.url}/api/apps` }).end(),
        ['apps'],
      );
      expect(exit).toBe(1);
      expect(err).toContain(other.url);
      expect(heard).toHaveLength(1);
      expect(other.heard).toEqual([]);
    },
  );

  it('of a stream is not followed either', async () => {
    await using other = await startLyingConsole((_request, response) => answerJson(response, []));
    const { exit } = await against(
      (_request, response) => response.writeHead(307, { location: other.url }).end(),
      ['op', 'watch', 'x'],
    );
    expect({ exit, heard: other.heard }).toEqual({ exit: 1, heard: [] });
  });
});

describe('an answer', () => {
  it('without end is cut off', async () => {
    const part = Buffer.alloc(1024 * 1024, ' ');
    const { exit, err } = await against(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(part));
        };
        response.on('drain', more);
        more();
      },
      ['apps'],
    );
    expect(exit).toBe(1);
    expect(err).toContain('longer than any of a console');
  });

  it('without end to a refused request is cut off', async () => {
    const part = Buffer.alloc(64 * 1024, ' ');
    const { exit } = await against(
      (_request, response) => {
        response.writeHead(500, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(part));
        };
        response.on('drain', more);
        more();
      },
      ['apps'],
    );
    expect(exit).toBe(1);
  });

  it.each<[string, Answer]>([
    [
      'that is a page',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['that is cut short', (_request, response) => answerJson(response, '[{"name":')],
    ['in another form', (_request, response) => answerJson(response, [{ name: 7 }])],
    ['that is no list', (_request, response) => answerJson(response, { servers: [] })],
    ['that never comes', (_request, response) => response.destroy()],
  ])('%s ends with 1 and prints nothing', async (_what, answer) => {
    for (const argv of [['apps'], ['apps', '--json']])
      expect(await against(answer, argv)).toMatchObject({ exit: 1, out: '' });
  });

  it('of a newer console, with a code that is not known here, follows its status', async () => {
    const problem = { code: 'brand_new', message: 'New.', recovery: 'Wait.' };
    const run = (status: number) =>
      against((_request, response) => answerJson(response, problem, status), ['api', 'GET', '/api/x']);
    expect((await run(403)).exit).toBe(4);
    expect((await run(404)).exit).toBe(8);
    expect((await run(409)).exit).toBe(7);
    expect((await run(500)).exit).toBe(1);
  });

  it.each(Object.entries(errorCatalogue))(
    'with the code %s never ends well',
    async (code, { status, recovery }) => {
      const problem = { code, message: 'No.', recovery };
      const { exit } = await against(
        (_request, response) => answerJson(response, problem, status),
        ['api', 'GET', '/api/x'],
      );
      expect(exit).toBeGreaterThan(0);
    },
  );

  it('404 for a list means that the console is older', async () => {
    const problem = { code: 'not_found', message: 'No route.', recovery: 'Check.' };
    const { exit, err } = await against((_request, response) => answerJson(response, problem, 404), ['apps']);
    expect(exit).toBe(1);
    expect(err).toContain('This console is older than this command.');
  });
});

describe('the address', () => {
  it.each([
    'http://console.example.com',
    'http://192.168.1.7:7070',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
  ])('%s is refused, because everybody in between could read the token', async (url) => {
    const env = { HOMEPORT_URL: url, HOMEPORT_TOKEN: someToken };
    const { exit, err } = await home.run(['apps'], { env });
    expect(exit).toBe(2);
    expect(err).toContain('--plain-http');
  });

  it.each([
    'ftp://console.example.com',
    'https://console.example.com/path',
    'https://me:secret@console.example.com',
    'https://',
    'javascript:alert(1)',
  ])('%s is none of a console', async (url) => {
    const { exit, err } = await home.run(['apps'], { env: { HOMEPORT_URL: url, HOMEPORT_TOKEN: someToken } });
    expect(exit).toBe(2);
    expect(err).not.toContain('secret');
  });

  it.each([
    '//evil.example/api/x',
    '/\\evil.example/api/x',
    'https://evil.example/api/x',
    '/api/../x',
    '/login',
    'api/apps',
  ])('of a route is on this console: %s is refused', async (path) => {
    const { exit, heard } = await against(
      (_request, response) => answerJson(response, []),
      ['api', 'GET', path],
    );
    expect({ exit, heard }).toEqual({ exit: 2, heard: [] });
  });
});

describe('a stream', () => {
  const id = '6f0c6b0e-1c0b-4c7e-9d4e-2f1f3a0a0a0a';
  const state = (state: string, steps: unknown[] = [], more = {}) =>
    JSON.stringify({
      type: 'state',
      operation: { id, title: 'Restart blog', state, steps, waitingFor: null, problem: null, ...more },
    });
  const step = (state: string) => ({ key: 'restart', title: 'Restart the app', state, note: null });
  const events = (...sent: string[]): Answer => {
    return (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(sent.join(''));
    };
  };
  const event = (eventId: number, data: string) => `id: ${eventId}\ndata: ${data}\n\n`;

  it('goes on after the last event when it breaks off', async () => {
    let asked = 0;
    const { exit, out, err, heard } = await against(
      (request, response) => {
        asked += 1;
        if (asked === 1) events(event(7, state('running', [step('running')])))(request, response);
        else events(': still here\n\n', event(9, state('succeeded', [step('done')])))(request, response);
      },
      ['op', 'watch', id],
    );
    expect(exit).toBe(0);
    expect(out).toBe('Done\tRestart blog\n');
    expect(err).toBe('Restart blog\n  running: Restart the app\n  done: Restart the app\n');
    expect(heard.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '7']);
  });

  it.each([
    ['succeeded', 0],
    ['cancelled', 3],
    ['failed', 5],
    ['interrupted', 5],
  ])('that says %s ends with %i', async (word, exit) => {
    expect((await against(events(event(1, state(word))), ['op', 'watch', id])).exit).toBe(exit);
  });

  it('that says why the work failed is printed line by line, and obeyed by no terminal', async () => {
    const remote = {
      command: `dokku ${hostile}`,
      account: 'root',
      exitCode: 1,
      outputTail: `one\n${hostile}`,
    };
    const problem = { code: 'remote_failed', message: hostile, recovery: 'Try again.', remote };
    const failed = event(
      1,
      state('failed', [{ ...step('failed'), title: hostile, note: hostile }], { problem }),
    );
    const { err } = await against(events(failed), ['op', 'watch', id], true);
    expect(err).toContain('  one\n');
    expect(err).not.toMatch(obeyed);
  });

  it('without an end of the work is left at --timeout with 6, and at Ctrl-C with 130', async () => {
    const open: Answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(1, state('waiting', [], { waitingFor: { text: 'Waits for a browser.' } })));
    };
    expect(await against(open, ['op', 'watch', id, '--timeout', '1'])).toMatchObject({ exit: 6, out: '' });
    await using console = await startLyingConsole(open);
    const key = new AbortController();
    const { exit, err } = await home.run(['op', 'watch', id], {
      env: { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken },
      interrupted: key.signal,
      onErr: (text) => text.includes('waits: Waits for a browser.') && key.abort(),
    });
    expect(exit).toBe(130);
    expect(err).toContain(`homeport op watch ${id}`);
  });

  it('that ends again and again without an event is given up', async () => {
    const { exit, heard } = await against(events(), ['op', 'watch', id]);
    expect({ exit, asked: heard.length }).toEqual({ exit: 1, asked: 5 });
  });

  it.each([
    ['one line', 'x'.repeat(1024 * 1024)],
    ['empty lines', 'data:\n'.repeat(200_000)],
  ])('with an event without end in %s is cut off', async (_in, part) => {
    const { exit, err } = await against(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: ');
        const more = () => {
          while (!response.destroyed && response.write(part));
        };
        response.on('drain', more);
        more();
      },
      ['op', 'watch', id],
    );
    expect(exit).toBe(1);
    expect(err).toContain('An event is longer');
  });

  it('that holds no event of an operation ends with 1', async () => {
    expect((await against(events(event(1, '{"type":')), ['op', 'watch', id])).exit).toBe(1);
    expect(
      (await against(events(event(1, '{"type":"state","operation":{}}')), ['op', 'watch', id])).exit,
    ).toBe(1);
    expect((await against((_request, response) => answerJson(response, {}), ['op', 'watch', id])).exit).toBe(
      1,
    );
  });
});
