import { PassThrough } from 'node:stream';
import { mcpLimits } from '@homeport/contract/mcp/facts';
import { afterAll, describe, expect, it } from 'vitest';
import { answerJson, type LyingConsole, someToken, startLyingConsole } from '../testing/lying-console.ts';
import { testHome } from '../testing/terminal.ts';

const home = testHome();
afterAll(() => home[Symbol.dispose]());

const list = (id: unknown, more: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', ...more });

/** Runs the command on these lines, and returns the messages that it wrote. */
async function forward(console: LyingConsole, lines: readonly string[]) {
  const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
  const ran = await home.run(['mcp'], { env, input: `${lines.join('\n')}\n` });
  const answers = ran.out
    .split('\n')
    .slice(0, -1)
    .map(
      (line) =>
        JSON.parse(line) as { id: unknown; result?: object; error?: { code: number; message: string } },
    );
  return { ...ran, answers };
}

const good = (id: unknown) => ({ jsonrpc: '2.0', id, result: { tools: [] } });

/** A console that answers each request with its own id. */
const startGoodConsole = () =>
  startLyingConsole(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    answerJson(response, good(JSON.parse(Buffer.concat(parts).toString()).id));
  });

describe('what an agent says', () => {
  it('is answered request by request, each in a line, and notifications go nowhere', async () => {
    await using console = await startGoodConsole();
    const lines = [
      list(1),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      JSON.stringify({ jsonrpc: '2.0', id: 9, result: {} }),
      '',
      list('two'),
    ];
    const { exit, err, answers } = await forward(console, lines);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(answers.toSorted((a, b) => String(a.id).localeCompare(String(b.id)))).toEqual([
      good(1),
      good('two'),
    ]);
    expect(console.heard.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /mcp', 'POST /mcp']);
  });

  it('that is no message is refused in its line, and the next one is read', async () => {
    await using console = await startGoodConsole();
    const { exit, answers } = await forward(console, [
      'no json',
      '[]',
      `[${list(1)},${list(2)}]`,
      '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
      list({ id: 1 }),
      list(3),
    ]);
    expect(exit).toBe(0);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32_700],
      ...Array.from({ length: 4 }, () => [null, -32_600]),
      [3, undefined],
    ]);
    expect(console.heard).toHaveLength(1);
  });

  it('and is too long is not sent: the edge is the console’s own', async () => {
    await using console = await startGoodConsole();
    const least = list(1, { params: { text: '' } }).length;
    const ofLength = (id: number, length: number) =>
      list(id, { params: { text: 'x'.repeat(length - least) } });
    const { answers } = await forward(console, [
      ofLength(1, mcpLimits.requestBytes),
      ofLength(2, mcpLimits.requestBytes + 1),
      ofLength(2, 5 * mcpLimits.requestBytes),
      list(3),
    ]);
    expect(answers.map(({ id, error }) => [id, error?.message]).toSorted()).toEqual(
      [
        [null, `A message has at most ${mcpLimits.requestBytes} bytes. This one was not sent.`],
        [null, `A message has at most ${mcpLimits.requestBytes} bytes. This one was not sent.`],
        [1, undefined],
        [3, undefined],
      ].toSorted(),
    );
    expect(console.heard).toHaveLength(2);
  });

  it('goes with the token in its header, and with what HTTP wants in its head', async () => {
    await using console = await startGoodConsole();
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_app', _meta } };
    const hidden = { ...call, id: 2, params: { name: 'get\r\nx: y', _meta } };
    await forward(console, [JSON.stringify(call), JSON.stringify(hidden)]);
    const heads = console.heard.map(({ headers }) => headers);
    for (const head of heads) {
      expect(head.authorization).toBe(`Bearer ${someToken}`);
      expect(head).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' });
      expect(head).not.toHaveProperty('x');
    }
    expect(heads.map((head) => head['mcp-name']).toSorted()).toEqual(['get_app', undefined]);
  });

  it('goes with the revision of initialize afterwards', async () => {
    const stdin = new PassThrough();
    await using console = await startLyingConsole((_request, response) =>
      answerJson(response, { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18' } }),
    );
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })}\n`;
    stdin.write(line);
    let answers = 0;
    const onOut = () => void (++answers === 1 ? stdin.write(line) : stdin.end());
    const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
    await home.run(['mcp'], { env, stdin, onOut });
    expect(console.heard.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
      undefined,
      '2025-06-18',
    ]);
  });

  it('is refused beyond the calls that the console answers at once, and with an id that is in use', async () => {
    const stdin = new PassThrough();
    const stop = new AbortController();
    await using console = await startLyingConsole(() => {});
    const lines = Array.from({ length: mcpLimits.atOnce }, (_each, at) => list(at));
    stdin.write(`${[...lines, list(0), list(99)].join('\n')}\n`);
    const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
    let out = '';
    const onOut = (text: string) => {
      out += text;
      if (out.includes('"id":99')) stop.abort();
    };
    const { exit } = await home.run(['mcp'], { env, stdin, interrupted: stop.signal, onOut });
    expect(exit).toBe(130);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).error.message),
    ).toEqual([
      'A request with this id is under way.',
      `${mcpLimits.atOnce} requests are under way, which is the most. Wait for an answer first.`,
    ]);
  });

  it('and cancels ends the request at the console, without an answer', async () => {
    const stdin = new PassThrough();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await using console = await startLyingConsole((_request, response) => {
      // Once the console has the request.
      if (console.heard.length > 1) return answerJson(response, good(2));
      response.once('close', () => stdin.write(`${list(2)}\n`));
      stdin.write(`${JSON.stringify(cancel)}\n`);
    });
    stdin.write(`${list(1)}\n`);
    const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
    const { exit, out } = await home.run(['mcp'], { env, stdin, onOut: () => stdin.end() });
    expect({ exit, out }).toEqual({ exit: 0, out: `${JSON.stringify(good(2))}\n` });
  });

  it('is read no more after Ctrl-C, and what is under way ends', async () => {
    const stdin = new PassThrough();
    const stop = new AbortController();
    await using console = await startLyingConsole(() => stop.abort());
    stdin.write(`${list(1)}\n`);
    const env = { HOMEPORT_URL: console.url, HOMEPORT_TOKEN: someToken };
    const { exit, out } = await home.run(['mcp'], { env, stdin, interrupted: stop.signal });
    expect({ exit, out }).toEqual({ exit: 130, out: '' });
  });
});

describe('a console that', () => {
  const answersOf = async (answer: Parameters<typeof startLyingConsole>[0]) => {
    await using console = await startLyingConsole(answer);
    const { answers, exit } = await forward(console, [list(1)]);
    expect(exit).toBe(0);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.id).toBe(1);
    return answers[0]?.error?.message ?? JSON.stringify(answers[0]?.result);
  };

  it('does not run is said so in the answer of each request', async () => {
    const console = await startGoodConsole();
    await console[Symbol.asyncDispose]();
    const { exit, answers } = await forward(console, [list(1), list(2)]);
    expect(exit).toBe(0);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, -32_603],
      [2, -32_603],
    ]);
    expect(answers[0]?.error?.message).toMatch(/could not be reached \(ECONNREFUSED\)\. Check the address/);
  });

  it('does not know the token says how to get another', async () => {
    const problem = { code: 'not_signed_in', message: 'No.', recovery: 'No.' };
    expect(await answersOf((_request, response) => answerJson(response, problem, 401))).toMatch(
      /ended or was revoked.*homeport login --agent/,
    );
  });

  it('refuses is quoted in one line', async () => {
    const problem = { code: 'too_many', message: 'Too\nmany.\u001b[31m', recovery: 'Wait.' };
    expect(await answersOf((_request, response) => answerJson(response, problem, 429))).toBe(
      'Too many.�[31m Wait.',
    );
  });

  it.each([
    ['another id', { ...good(2) }],
    ['a request of its own', { jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/message', params: {} }],
    ['no answer', { hello: 'world' }],
    ['no JSON', 'hello'],
  ])('answers with %s is told as one that makes no sense', async (_what, body) => {
    expect(await answersOf((_request, response) => answerJson(response, body))).toContain(
      'in a form that this command does not know',
    );
  });

  it('answers as a stream of events gives the answer in it, and nothing else of it', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
    const text = await answersOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(message)}\n\ndata: ${JSON.stringify(good(1))}\n\n`);
    });
    expect(JSON.parse(text)).toEqual({ tools: [] });
  });

  it('could not read the request is quoted, though its error names none', async () => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32_020, message: 'Header mismatch' } };
    expect(await answersOf((_request, response) => answerJson(response, error, 400))).toBe('Header mismatch');
  });

  it('answers without end is left', async () => {
    const text = await answersOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    expect(text).toContain('longer than any of a console');
  });

  it('leads elsewhere gets the token nowhere', async () => {
    await using other = await startGoodConsole();
    const text = await answersOf((_request, response) =>
      response.writeHead(307, { location: `${other.url}/mcp` }).end(),
    );
    expect(text).toContain('Nothing was sent there');
    expect(other.heard).toEqual([]);
  });
});

it('writes hidden characters of an answer spelled out, so that the line stays one', async () => {
  const text = 'a\u2028b\u202ec\u001b[2J';
  await using console = await startLyingConsole((_request, response) =>
    answerJson(response, { jsonrpc: '2.0', id: 1, result: { text } }),
  );
  const { out, answers } = await forward(console, [list(1)]);
  expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, result: { text } }]);
  for (const hidden of ['\u2028', '\u202e', '\u001b']) expect(out).not.toContain(hidden);
});

it('ends neither for an answer nor for a request that is nested too deeply', async () => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  await using console = await startLyingConsole((_request, response) =>
    answerJson(response, `{"jsonrpc":"2.0","id":1,"result":{"deep":${deep(200_000)}}}`),
  );
  const { exit, answers } = await forward(console, [
    list(1),
    `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"deep":${deep(30_000)}}}`,
  ]);
  expect(exit).toBe(0);
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
  for (const { error } of answers) expect(error?.message).not.toContain('could not be reached');
});

describe('the token of a coding agent', () => {
  const agents = `homeport_${'b'.repeat(43)}`;
  const startBoth = () =>
    startLyingConsole((request, response) =>
      answerJson(response, request.url === '/mcp' ? good(1) : { version: '0.1.0' }),
    );

  it('is kept beside the terminal’s own, and each use has its console', async () => {
    await using first = await startBoth();
    await using second = await startBoth();
    using own = testHome();
    const asAgent = () => own.run(['mcp'], { input: `${list(1)}\n` });
    await own.run(['login', first.url, '--token-stdin'], { input: someToken });
    expect(await asAgent()).toMatchObject({
      exit: 4,
      out: '',
      err: expect.stringContaining('login --agent'),
    });
    expect(await own.run(['login', second.url, '--agent'], { input: agents })).toMatchObject({ exit: 0 });
    const heardBy = ({ heard }: LyingConsole) =>
      heard.splice(0).map(({ path, headers }) => [path, headers.authorization]);
    for (const console of [first, second]) heardBy(console);
    expect((await asAgent()).exit).toBe(0);
    await own.run(['apps', '--json']);
    expect(new Set(heardBy(first).map(([, token]) => token))).toEqual(new Set([`Bearer ${someToken}`]));
    expect(heardBy(second)).toEqual([['/mcp', `Bearer ${agents}`]]);
    expect((await own.run(['logout'])).err).toContain(`${first.url} and ${second.url}`);
    expect((await asAgent()).exit).toBe(4);
    expect((await own.run(['apps'])).exit).toBe(4);
  });

  it('that may call no tools is not kept', async () => {
    const problem = { code: 'not_allowed', message: 'The token of a terminal calls no tools.', recovery: '' };
    await using console = await startLyingConsole((request, response) =>
      request.url === '/mcp'
        ? answerJson(response, problem, 403)
        : answerJson(response, { version: '0.1.0' }),
    );
    using own = testHome();
    const refused = await own.run(['login', console.url, '--agent'], { input: agents });
    expect(refused).toMatchObject({ exit: 4, err: expect.stringContaining('calls no tools') });
    expect((await own.run(['mcp'], { input: `${list(1)}\n` })).exit).toBe(4);
  });
});
