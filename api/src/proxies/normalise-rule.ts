import type { ParsedProxyRule, ProxyRule } from '@homeport/contract/proxies/schema';
import { readBase, readTarget } from '@homeport/rules';

/** A rule as it is kept, of what a person typed. What is wrong stays as it is; compiling names it. */
export function normaliseRule(id: string, typed: ParsedProxyRule): ProxyRule {
  const src = typed.pathRewriteSrc.trim();
  const dest = typed.pathRewriteDest.trim();
  const base = readBase(typed.path.trim());
  return {
    id,
    type: typed.type,
    path: base === null ? typed.path.trim() : base || '/',
    target: websiteOf(typed.target),
    xForwardedHost: typed.xForwardedHost.trim(),
    proxyPathPrefix: typed.proxyPathPrefix.trim(),
    pathRewriteSrc: src,
    pathRewriteDest: src === '' ? '' : dest || '/',
    injection: typed.injection.trim() === '' ? '' : typed.injection,
  };
}

/** An address in the form that is kept: with its scheme, which is https where none was typed. */
export function websiteOf(typed: string): string {
  const read = readTarget(typed);
  return 'target' in read ? read.target.url : typed.trim();
}
