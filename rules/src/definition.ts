import type { RuleType } from '@homeport/contract/proxies/facts';

/** A rule as it is saved. An empty text means that the field is not used. */
export type RuleDefinition = {
  id: string;
  /** A prefix on segment borders, in normal form: `/blog`. `/` fits every path. */
  path: string;
  type: RuleType;
  /** An http or https URL without query, fragment and user. Its path stands before everything. */
  target: string;
  /** The literal value of X-Forwarded-Host. */
  xForwardedHost: string;
  /** A path that stands between the target's own path and the visitor's. */
  proxyPathPrefix: string;
  /** A prefix on segment borders, or RE2 syntax when it begins with `^`. */
  pathRewriteSrc: string;
  pathRewriteDest: string;
  /** HTML for the pages of this rule. */
  injection: string;
};

/** A proxy as the store has it. `source` takes every path that no rule takes. */
export type ProxyDefinition = {
  id: string;
  domain: string;
  source: string;
  records: readonly RuleDefinition[];
};

/** The id of the last rule, which the page calls "Everything else". */
export const sourceRuleId = 'source';
