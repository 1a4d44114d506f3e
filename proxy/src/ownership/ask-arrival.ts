import { randomBytes, timingSafeEqual } from 'node:crypto';
import { proveArrival } from '../armour/domain-proof.ts';
import type { Pools } from '../upstream/pools.ts';

const withinMs = 5_000;
const redirects = 3;
const answerBytes = 256;

/** Asks a domain over http for what only a plane of this console can answer. Follows redirects to the same host only. */
export function askArrival(pools: Pools, proofKey: Buffer, port = 80): (domain: string) => Promise<boolean> {
  return async (domain) => {
    const nonce = randomBytes(16).toString('hex');
    const wanted = Buffer.from(proveArrival(proofKey, nonce));
    let url = new URL(`http://${domain}:${port}/.well-known/homeport/${nonce}`);
    try {
      for (let left = redirects; left >= 0; left -= 1) {
        const { body, location } = await ask(pools, url);
        if (location === null) {
          const answered = Buffer.from(body.trim());
          return answered.length === wanted.length && timingSafeEqual(answered, wanted);
        }
        const next = new URL(location, url);
        if (next.hostname !== domain || !/^https?:$/.test(next.protocol)) return false;
        url = next;
      }
    } catch {
      // A name that does not answer does not lead here.
    }
    return false;
  };
}

async function ask(pools: Pools, url: URL): Promise<{ body: string; location: string | null }> {
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  const taken = pools.take({
    protocol,
    hostname: url.hostname,
    port,
    host: url.host,
    path: '',
    url: url.origin,
  });
  if (taken === null) return { body: '', location: null };
  try {
    const signal = AbortSignal.timeout(withinMs);
    const answer = await taken.dispatcher.request({
      path: url.pathname,
      method: 'GET',
      signal,
      headers: { 'user-agent': 'Homeport' },
    });
    let body = '';
    for await (const chunk of answer.body) {
      body += String(chunk);
      if (body.length > answerBytes) break;
    }
    const { location } = answer.headers;
    const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400;
    return { body, location: isRedirect && typeof location === 'string' ? location : null };
  } finally {
    taken.leave();
  }
}
