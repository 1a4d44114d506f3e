import { proxyLimits } from '@homeport/contract/proxies/facts';
import { type OwnerWrite, weighRules } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { ProxyRow } from '../records/proxy-record.ts';

/**
 * Throws `limit_reached` when the rules of a proxy, or of the whole account, have more bytes than their share, and the change made them
 * more. The message stands beside the HTML of the edited rule where it has some. Call this in the transaction that changed the rules.
 */
export async function refuseHeavy(
  scope: OwnerWrite,
  before: Pick<ProxyRow, 'id' | 'rule_bytes'>,
  edited: ProxyRow['records'][number] | undefined,
): Promise<void> {
  const { ofProxy, ofAccount } = await weighRules(scope, before.id);
  // Rules that were kept before there was a share may become less.
  if (ofProxy <= before.rule_bytes) return;
  if (ofProxy > proxyLimits.bytes) throw tooMany('this domain', ofProxy, proxyLimits.bytes, edited);
  if (ofAccount > proxyLimits.bytesOfAccount)
    throw tooMany('all your domains together', ofAccount, proxyLimits.bytesOfAccount, edited);
}

function tooMany(
  whose: string,
  bytes: number,
  most: number,
  edited: ProxyRow['records'][number] | undefined,
): ProblemError {
  const text = `The rules of ${whose} would take ${Math.ceil(bytes / 1024).toLocaleString('en')} KiB. At most ${most / 1024 / 1024} MiB is possible. Nothing was changed. Shorten the HTML of a rule, or delete rules.`;
  // A rule without HTML has nothing to shorten there.
  return new ProblemError('limit_reached', text, edited?.injection ? { fields: { injection: text } } : {});
}
