import { hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { recordTtl } from '@homeport/contract/domains/facts';
import { recordTypeTo } from '@homeport/contract/fields/server-address';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import {
  type Asker,
  changeTogether,
  createRecord,
  patchRecord,
  readRecords,
  readZones,
} from '../cloudflare/calls.ts';
import type { Cloudflare } from '../cloudflare/client.ts';
import { kindOf } from '../cloudflare/credential.ts';
import { CloudflareFailure, toProblem } from '../cloudflare/refusal.ts';
import { isAddressing } from './points-at.ts';

/** What became of the wildcard record of a claimed subdomain. `warned`: the operator or the person has to see to it. */
export type WildcardResult = { state?: 'warned' | 'skipped'; note: string };

/** The comment on a record that this console made. The operator's own wildcard records have another one, or none. */
const madeByHomeport = 'Made by Homeport for a claimed subdomain';

/** `follow`: only changes a record that stands there. */
export type MakeWildcard = (
  server: { subdomain: string; ip: string },
  how?: 'make' | 'follow',
) => Promise<WildcardResult>;

/**
 * Makes `*.{subdomain}.{suffix}` lead to a server, with the operator's own token for the zone of the shared suffix. It may run
 * again: a record that is right already stays. A failure is a warning, because the server works without the record. For a server with a
 * name it makes none: whoever holds the name could lead the operator's wildcard anywhere later.
 */
export function wildcardMaker(
  cloudflare: Cloudflare,
  { appDomain, token }: { appDomain: string; token: string },
): MakeWildcard {
  return async ({ subdomain, ip }, how = 'make') => {
    const name = `*.${subdomain}.${appDomain}`;
    if (!hasOwnWildcard({ ip }))
      return {
        state: 'warned',
        note: `No record was made for ${name}: this server is known by the name ${ip}, whose holder could lead the record elsewhere. A record that stands there stays. Give the server its address, and run this again.`,
      };
    const secret = Buffer.from(token, 'latin1');
    const asker = { cloudflare, credential: { kind: kindOf(token, null), email: null, secret } };
    try {
      return await settle(asker, { name, ip, appDomain, how });
    } catch (error) {
      if (!(error instanceof CloudflareFailure)) throw error;
      const { message } = toProblem(error.failure, 'changing');
      return { state: 'warned', note: `${message} ${byHand(name, ip)}` };
    } finally {
      secret.fill(0);
    }
  };
}

async function settle(
  asker: Asker,
  { name, ip, appDomain, how }: { name: string; ip: string; appDomain: string; how: 'make' | 'follow' },
): Promise<WildcardResult> {
  const { zones } = await readZones(asker);
  const [zone] = zones
    .filter((each) => appDomain === each.name || appDomain.endsWith(`.${each.name}`))
    .sort((a, b) => b.name.length - a.name.length);
  if (!zone)
    return {
      state: 'warned',
      note: `The operator’s token lists no zone of ${appDomain}. ${byHand(name, ip)}`,
    };
  const { records } = await readRecords(asker, zone.id, { 'name.exact': name });
  const answering = records.filter(({ type }) => isAddressing(type));
  const [only] = answering;
  const type = recordTypeTo(ip);
  const ours = only?.comment === madeByHomeport && only.type !== 'CNAME';
  if (answering.length > 1 || (only && only.type !== type && !ours)) {
    return { state: 'warned', note: `Other records stand at ${name} already, and stay. ${byHand(name, ip)}` };
  }
  if (!only && how === 'follow') return { state: 'skipped', note: `No record stands at ${name}.` };
  if (only && canonicalAddress(only.content) === ip) return { note: `${name} leads to ${ip} already.` };
  if (only && only.comment !== madeByHomeport) {
    return {
      state: 'warned',
      note: `A record that Homeport did not make leads ${name} to ${only.content}, and stays. ${byHand(name, ip)}`,
    };
  }
  // Claimed names are unique, so an address of an earlier server may be replaced.
  const record = {
    ...{ type, name, content: ip },
    ...{ ttl: recordTtl.automatic, proxied: false, comment: madeByHomeport },
  };
  if (!only) await createRecord(asker, zone.id, record);
  else if (only.type === type) await patchRecord(asker, zone.id, only.id, { content: ip });
  else await changeTogether(asker, zone.id, { deletes: [only.id], posts: [record] });
  return { note: `${name} leads to ${ip} now.` };
}

const byHand = (name: string, ip: string) => `Make the record ${recordTypeTo(ip)} ${name} to ${ip} by hand.`;
