import { expect, test } from 'vitest';
import { wholeStore } from '../testing/whole-store.ts';
import { linkToken, startCloudflareConsole } from './testing/linked-zones.ts';

const record = { type: 'TXT', host: 'www', content: 'ahoy', ttl: 1 };

test('a linked token is nowhere in the store, the logs, an address at Cloudflare or an answer', async () => {
  await using console = await startCloudflareConsole();
  const { cloudflare, ines, api, exchanges } = console;
  const zone = cloudflare.addZone('northquay.example');
  const secret = await linkToken(console, ines);
  const answers: unknown[] = [];
  const call = async (key: string, body?: object) => answers.push(await ines.call(key, body));
  const work = async () => {
    await call('GET /api/zones/account');
    await call('POST /api/zones/account/check');
    await call('POST /api/zones/refresh', { byHand: true });
    await call(`GET /api/zones/${zone.id}/records`);
    await call(`POST /api/zones/${zone.id}/records`, { record });
    await call('GET /api/openapi.json');
  };
  await work();
  // Every kind of failure, too.
  cloudflare.spoil((asked, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    const message = `${asked.headers.authorization}`;
    response.end(
      JSON.stringify({ success: false, errors: [{ code: 10000, message }], messages: [], result: null }),
    );
    return true;
  });
  await work();
  cloudflare.spoil((_asked, response) => {
    response.destroy();
    return true;
  });
  await work();
  cloudflare.spoil(null);
  cloudflare.revoke(secret);
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
    addresses: exchanges.map(({ path, query }) => `${path}?${query}`).join('\n'),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(0);
    for (const form of encoded) expect(text.includes(form), place).toBe(false);
  }
});
