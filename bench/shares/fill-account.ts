import { ceilings } from '@homeport/contract/limits';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import { z } from 'zod';

const person = { name: 'Bench', email: 'bench@example.com', password: 'harbour-lights-20' };
/** What a rule has beside its HTML. */
const spareBytes = 1_024;
const proxySchema = z.object({ id: z.string(), version: z.number() });

/**
 * Signs a person up, who adds proxies and rules until their ceilings: one proxy with this domain and source, and others with as many
 * bytes of rules as an account may keep. Resolves with the session's cookie.
 */
export async function fillAccount(
  url: string,
  { domain, source }: { domain: string; source: string },
): Promise<string> {
  const send = async (path: string, body: object, cookie: string) => {
    const headers = { 'content-type': 'application/json', origin: url, cookie };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const signedUp = await send('/api/auth/sign-up/email', person, '');
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  await send('/api/proxies', { domain, source }, cookie);

  const injection = 'x'.repeat(proxyLimits.injectionBytes - spareBytes);
  const rulesOfProxy = Math.floor(proxyLimits.bytes / proxyLimits.injectionBytes);
  const fullProxies = Math.floor(proxyLimits.bytesOfAccount / proxyLimits.bytes);
  for (let made = 1; made < ceilings.proxies; made += 1) {
    const added = await send('/api/proxies', { domain: `s${made}.example.com`, source }, cookie);
    let proxy = proxySchema.parse(await added.json());
    for (let rule = 0; made <= fullProxies && rule < rulesOfProxy; rule += 1) {
      const fields = { path: `/r${rule}`, type: 'simple', target: source, injection };
      const body = { ...fields, version: proxy.version };
      const answer = await send(`/api/proxies/${proxy.id}/rules`, body, cookie);
      proxy = proxySchema.parse(await answer.json());
    }
  }
  return cookie;
}
