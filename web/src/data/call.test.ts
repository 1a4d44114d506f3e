import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiProblem } from './api-problem.ts';
import { call } from './call.ts';

let server: Server | undefined;

/** A real HTTP server stands in for the console; only the page's origin is put before the path. */
async function serve(listener: RequestListener): Promise<void> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const address = started.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${address.port}${path}`, init),
  );
}

afterEach(async () => {
  vi.unstubAllGlobals();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a call', () => {
  it('sends the body as JSON and returns the answer', async () => {
    await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          type: request.headers['content-type'],
          body,
        }),
      );
    });
    const reply: unknown = await call('PATCH /api/profile', { body: { name: 'Ines' } });
    expect(reply).toEqual({
      method: 'PATCH',
      url: '/api/profile',
      type: 'application/json',
      body: { name: 'Ines' },
    });
  });

  it('bypasses the browser’s cache, which would send the same request of two tabs one after the other', async () => {
    const modes: unknown[] = [];
    vi.stubGlobal('fetch', async (_path: string, init?: RequestInit) => {
      modes.push(init?.cache);
      return Response.json([]);
    });
    await call('GET /api/apps');
    await call('GET /api/apps', undefined, { preloaded: true });
    expect(modes, 'Firefox takes what the document has preloaded in the default mode only').toEqual([
      'no-store',
      'default',
    ]);
  });

  it('throws the console’s problem, with its fields', async () => {
    await serve((_request, response) => {
      response.statusCode = 400;
      response.end(
        JSON.stringify({
          code: 'invalid_input',
          message: 'No.',
          recovery: 'Mend it.',
          fields: { name: 'Enter a name.' },
        }),
      );
    });
    const error = await failure(call('PATCH /api/profile', { body: { name: '' } }));
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ code: 'invalid_input', problem: { fields: { name: 'Enter a name.' } } });
  });

  it('reports an answer that is not the console’s', async () => {
    await serve((_request, response) => {
      response.statusCode = 502;
      response.end('<html>Bad Gateway</html>');
    });
    expect(await failure(call('GET /api/servers'))).toMatchObject({ code: 'unavailable' });
  });

  it('reports that nothing answers', async () => {
    await serve((request) => request.socket.destroy());
    expect(await failure(call('GET /api/servers'))).toMatchObject({
      code: 'unavailable',
      message: 'The console could not be reached.',
    });
  });
});
