import { expect, test } from 'vitest';
import { wholeStore } from '../testing/whole-store.ts';
import { linkToken, startCloudflareConsole } from './testing/linked-zones.ts';

const record = { type: 'TXT', host: 'www', content: 'ahoy', ttl: 1 };

test('a linked token is nowhere in the store, the logs, an address at Cloudflare or an answer', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines, api } = console;
  const zone = await cloudflare.addZone('northquay.example');
  const secret = await linkToken(console, ines);
  const answers: unknown[] = [];
  const call = async (key: string, body?: object) => answers.push(await ines.call(key, body));
  const work = async () => {
    await call('GET /api/zones/account');
    await call('POST /api/zones/account/check');
    await call('POST /api/zones/refresh', { byHand: true });
    await call(`GET /api/zones/${zone}/records`);
    await call(`POST /api/zones/${zone}/records`, { record });
    await call('GET /api/openapi.json');
  };
  await work();
  // Every kind of failure, too.
  const errors = [{ code: 10000, message: '{authorization}' }];
  await cloudflare.answerBadly({
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ success: false, errors, messages: [], result: null }),
  });
  await work();
  await cloudflare.answerBadly('hang_up');
  await work();
  await cloudflare.answerWell();
  await cloudflare.revoke(secret);
  await work();
  answers.push(await ines.call('PUT /api/zones/account', { secret, extra: 1 }));
  answers.push(await ines.call('PUT /api/zones/account', { secret }));

  const beginning = secret.slice(0, 20);
  const encoded = [
    beginning,
    Buffer.from(secret).toString('base64').slice(0, 20),
    Buffer.from(secret).toString('hex'),
  ];
  const places = {
    store: await wholeStore(api.store.db),
    logs: api.logged.join('\n'),
    answers: JSON.stringify(answers),
    addresses: (await cloudflare.exchanges()).map(({ path, query }) => `${path}?${query}`).join('\n'),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(0);
    for (const form of encoded) expect(text.includes(form), place).toBe(false);
  }
});
