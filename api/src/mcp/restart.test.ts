import { mcpPace } from '@homeport/contract/mcp/facts';
import { expect, it, vi } from 'vitest';
import { bodyOf, startTestApi } from '../http/testing.ts';
import { plantOneOfEach } from '../testing/plant.ts';

it('a console that stops ends a waiting call with 503: 401 would tell the client that its token was revoked', async () => {
  const api = await startTestApi({ signUps: 'open' });
  let isDisposed = false;
  try {
    const ada = await api.signUp('ada');
    const { operations } = await plantOneOfEach(api.store.db, ada.userId);
    await api.store.db
      .updateTable('operations')
      .set({ state: 'running', ended_at: null })
      .where('id', '=', operations)
      .execute();
    const body = { kind: 'agent', name: 'agent', scopes: ['operations:read'], days: 1 };
    const { token } = bodyOf<{ token: string }>(await ada.call('POST /api/tokens', body), 201);
    const arguments_ = { operation: operations, seconds: 45 };
    const waiting = fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'wait_for', arguments: arguments_ },
      }),
    });
    // The call reads the operation before it waits.
    await vi.waitFor(() => expect(api.logged.join('\n')).toContain(`/api/operations/${operations}`), {
      timeout: 20_000,
    });
    isDisposed = true;
    const [answer] = await Promise.all([waiting, api[Symbol.asyncDispose]()]);
    expect(answer.status).toBe(503);
  } finally {
    if (!isDisposed) await api[Symbol.asyncDispose]();
  }
}, 60_000);

it('leaves an address more requests than all calls of a person take in a minute', () => {
  const readsOfOneCall = 6;
  const inOneMinute = mcpPace.burst + mcpPace.perSecond * 60;
  expect(inOneMinute * readsOfOneCall).toBeLessThan(1_200);
});
