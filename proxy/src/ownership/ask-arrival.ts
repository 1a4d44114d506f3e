import { randomBytes, timingSafeEqual } from 'node:crypto';
import { proveArrival } from '../armour/domain-proof.ts';
import type { Asker, Flow } from '../upstream/connection.ts';
import type { Pools } from '../upstream/pools.ts';

const withinMs = 5_000;
const redirects = 3;
const answerBytes = 256;
/** These questions are of the plane itself. */
const noSite = { id: '', owner: '' };

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

type Answer = { body: string; location: string | null };

async function ask(pools: Pools, url: URL): Promise<Answer> {
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  const taken = pools.take(noSite, { protocol, hostname: url.hostname, port, host: url.host });
  if (taken === null) return { body: '', location: null };
  const headers = ['host', url.host, 'user-agent', 'Homeport'];
  let late: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Answer>((resolve, reject) => {
      let flow: Flow | null = null;
      const answer: Answer = { body: '', location: null };
      const asker: Asker = {
        hasLeft: () => false,
        begun(begun) {
          flow = begun;
        },
        head(head) {
          if (head.status >= 300 && head.status < 400) answer.location = head.value('location') ?? null;
        },
        data(chunk) {
          answer.body += chunk.toString();
          if (answer.body.length <= answerBytes) return;
          flow?.abort(asker);
          resolve(answer);
        },
        end: () => resolve(answer),
        failed: reject,
      };
      late = setTimeout(() => {
        flow?.abort(asker);
        reject(new Error('The domain did not answer in time.'));
      }, withinMs);
      taken.ask({ path: url.pathname, method: 'GET', headers, body: null }, asker);
    });
  } finally {
    clearTimeout(late);
    taken.leave();
  }
}
