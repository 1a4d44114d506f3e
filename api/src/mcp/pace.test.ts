import { mcpPace } from '@homeport/contract/mcp/facts';
import { expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestPerson } from '../http/testing.ts';

it('bounds the calls of one person’s tokens together, and leaves other persons alone', async () => {
  // Nothing becomes whole again while the test runs.
  const toolPace = { ...mcpPace, atOnce: 3, burst: 3, perSecond: 1e-6, burstPerSecond: 1e-6, waitMs: 0 };
  await using api = await startTestApi({ signUps: 'open' }, { toolPace });
  const [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
  const make = async (person: TestPerson) => {
    const body = { kind: 'agent', name: 'agent', scopes: ['apps:read'], days: 1 };
    return bodyOf<{ token: string }>(await person.call('POST /api/tokens', body), 201).token;
  };
  const [one, two, hers] = [await make(ada), await make(ada), await make(eve)];
  const ask = (token: string) =>
    fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  for (let each = 0; each < toolPace.burst; each += 1) expect((await ask(one)).status).toBe(200);
  const refused = await ask(two);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(hers)).status).toBe(200);
});
