import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { request } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';
import { cacheBounds } from './cache.ts';

let upstream: TestUpstream;
let plane: TestPlane;
/** What the website says of its answers, and how it waits before each. */
let control = '';
let gate: Promise<void> = Promise.resolve();
let open: () => void = () => undefined;

beforeEach(async () => {
  upstream = await startUpstream(async (_req, res) => {
    await gate;
    res.writeHead(200, { 'cache-control': control }).end('ok');
  });
});
afterEach(async () => {
  open();
  vi.restoreAllMocks();
  await plane.close();
  await upstream.close();
});

async function startWith(bounds: Partial<typeof cacheBounds>): Promise<void> {
  plane = await startPlane({}, { cacheBounds: { ...cacheBounds, ...bounds } });
  plane.put('eve.test', upstream.origin, [], 'eve');
  plane.put('ada.test', upstream.origin, [], 'ada');
}

/** From now on the website answers nobody until `open`. */
function close(): void {
  gate = new Promise((resolve) => {
    open = resolve;
  });
}

const get = (host: string, path: string) => request(plane.port, `GET ${path}`, [`Host: ${host}`]);

it('fetches old answers anew for one account and still for another', async () => {
  const [renewals, pages] = [40, 30];
  await startWith({ renewals });
  control = 'max-age=10, stale-while-revalidate=600';
  const paths = Array.from({ length: pages }, (_none, index) => `/page-${index}`);
  for (const path of paths) await get('eve.test', path);
  await get('ada.test', '/');
  upstream.seen.length = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
  close();
  // One alone has half of them; everybody gets the old answers all the same.
  for (const path of paths) expect((await get('eve.test', path)).body).toBe('ok');
  await expect.poll(() => upstream.seen.length).toBe(renewals / 2);
  expect((await get('ada.test', '/')).body).toBe('ok');
  await expect.poll(() => upstream.seen.length).toBe(renewals / 2 + 1);
  expect(upstream.seen.at(-1)?.url).toBe('/');
});

it('knows which of an account’s answers cannot be kept, however many addresses another’s visitors name', async () => {
  await startWith({ times: { addresses: 20, characters: 10_000 } });
  control = 'no-store';
  await get('ada.test', '/never-kept');
  for (let index = 0; index < 40; index += 1) await get('eve.test', `/${index}`);
  upstream.seen.length = 0;
  close();
  const both = [get('ada.test', '/never-kept'), get('ada.test', '/never-kept')];
  // Nobody waits for the other's answer.
  await expect.poll(() => upstream.seen.length).toBe(2);
  open();
  await Promise.all(both);
});
