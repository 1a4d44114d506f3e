import type { ProxyRule } from '@homeport/contract/proxies/schema';

/** What a rule does, in the words of its chips. */
export function ruleChips(rule: ProxyRule): string[] {
  const { type, proxyPathPrefix, pathRewriteSrc, pathRewriteDest, xForwardedHost, injection } = rule;
  return [
    ...(type === 'simple' ? ['Simple'] : ['Subdirectory', 'Prefix stripped']),
    ...(pathRewriteSrc === '' ? [] : [`Rewrite ${pathRewriteSrc} → ${pathRewriteDest}`]),
    ...(proxyPathPrefix === '' ? [] : [`Path prefix ${proxyPathPrefix}`]),
    ...(xForwardedHost === '' ? [] : ['Forwarded host set']),
    ...(injection === '' ? [] : ['Injection']),
  ];
}
