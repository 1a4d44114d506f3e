import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A program under test listens some time after its port was chosen. Linux gives ports from 32,768 on to whatever connects somewhere
 * meanwhile (ip_local_port_range), so none of those is chosen. Nor is 10,080, the highest port that `fetch` and browsers refuse
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
const first = 10_081;
const last = 14_999;
/** Each worker of Vitest or Playwright has ports of its own, and so has the service of its console: the port ten above the console's. */
const stride = 32;
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % 8;
const places = Math.floor((last - first) / stride);
let place = randomInt(places);

/** A port of this address that is free and that this process has not chosen for a while. */
export async function freePort(host: '127.0.0.1' | '::1' = '127.0.0.1'): Promise<number> {
  for (let tried = 0; tried < places; tried += 1) {
    place = (place + 1) % places;
    const port = first + place * stride + worker;
    if (await isFree(port, host)) return port;
  }
  throw new Error(`No port from ${first} to ${last} is free.`);
}

function isFree(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
