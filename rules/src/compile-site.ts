import { newDomain } from '@homeport/contract/fields/domain-name';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import { type ProxyDefinition, type RuleDefinition, sourceRuleId } from './definition.ts';
import { indexMembers, type Members } from './members.ts';
import { normalisePath } from './normalise-path.ts';
import { countSegments, withoutTrailingSlash } from './path-parts.ts';
import { compileRewrite, type Rewrite } from './rewrite.ts';
import { readTarget, type Target } from './target.ts';

/** A rule that is ready to take requests. */
export type Rule = {
  id: string;
  /** The rule's path without a slash at its end: '' fits every path. */
  base: string;
  segments: number;
  /** True for a subdirectory rule: the base is not part of the upstream's paths. */
  strips: boolean;
  target: Target;
  /** What stands before the visitor's rest on the upstream: the target's path and the prefix. No slash at its end. */
  mount: string;
  rewrite: Rewrite | null;
  xForwardedHost: string | null;
  injection: string | null;
};

/** A proxy that is ready to take requests. Frozen: a change makes a new site. */
export type Site = {
  id: string;
  domain: string;
  /** In the order in which they are tried. The last one is the source, which fits every path. */
  rules: readonly Rule[];
  /** By the Host of a target: the rules to which an absolute link may lead, beside the rule of the page itself. */
  members: ReadonlyMap<string, Members<Rule>>;
};

export type RuleField =
  | 'path'
  | 'target'
  | 'xForwardedHost'
  | 'proxyPathPrefix'
  | 'pathRewriteSrc'
  | 'pathRewriteDest';

/** Why a definition cannot be served. `rule` is the rule's id, or `source`, or `domain`. */
export type SiteProblem = { rule: string; field: RuleField | 'source' | 'domain'; code: ProblemCode };

export type ProblemCode =
  | 'path_refused'
  | 'path_of_subdirectory'
  | 'target_not_a_url'
  | 'target_scheme'
  | 'target_user'
  | 'target_query'
  | 'target_path'
  | 'target_port'
  | 'target_loop'
  | 'host_refused'
  | 'prefix_refused'
  | 'rewrite_pattern'
  | 'rewrite_size'
  | 'rewrite_together'
  | 'rewrite_group'
  | 'rewrite_path'
  | 'domain_refused';

export type Compiled = { site: Site } | { problems: readonly SiteProblem[] };

/** Compiles a proxy whole, or says everything that is wrong with it. */
export function compileSite(definition: ProxyDefinition): Compiled {
  const problems: SiteProblem[] = [];
  const rules: Rule[] = [];
  if (newDomain(definition.domain) !== definition.domain)
    problems.push({ rule: 'domain', field: 'domain', code: 'domain_refused' });
  let instructions = 0;
  for (const record of [...definition.records, sourceAsRule(definition.source)]) {
    const compiled = compileRule(record, definition.domain);
    if ('problems' in compiled) {
      problems.push(...compiled.problems);
      continue;
    }
    const { rewrite } = compiled.rule;
    if (rewrite?.kind === 'pattern') instructions += rewrite.instructions;
    // Further patterns are not even compiled.
    if (instructions > proxyLimits.patternInstructionsOfProxy) {
      problems.push({ rule: record.id, field: 'pathRewriteSrc', code: 'rewrite_together' });
      break;
    }
    rules.push(Object.freeze(compiled.rule));
  }
  if (problems.length > 0) return { problems };
  const { id, domain } = definition;
  return { site: Object.freeze({ id, domain, rules: Object.freeze(rules), members: findMembers(rules) }) };
}

/** Compiles one rule of the proxy with this domain. */
export function compileRule(
  record: RuleDefinition,
  domain: string,
): { rule: Rule } | { problems: readonly SiteProblem[] } {
  const problems: SiteProblem[] = [];
  const isSource = record.id === sourceRuleId;
  const refuse = (field: RuleField, code: ProblemCode) =>
    problems.push({ rule: record.id, field: isSource ? 'source' : field, code });

  const base = readBase(record.path);
  if (base === null) refuse('path', 'path_refused');
  const strips = record.type === 'subdirectory';
  if (strips && base === '') refuse('path', 'path_of_subdirectory');

  const read = readTarget(record.target);
  if ('refused' in read) refuse('target', `target_${read.refused}`);
  const prefix = readPrefix(record.proxyPathPrefix);
  if (prefix === null) refuse('proxyPathPrefix', 'prefix_refused');
  if (!isForwardedHost(record.xForwardedHost)) refuse('xForwardedHost', 'host_refused');
  const rewritten = compileRewrite(record.pathRewriteSrc, record.pathRewriteDest, strips ? (base ?? '') : '');
  if ('refused' in rewritten)
    refuse(
      rewritten.refused === 'pattern' || rewritten.refused === 'size' ? 'pathRewriteSrc' : 'pathRewriteDest',
      `rewrite_${rewritten.refused}`,
    );

  if (base === null || prefix === null || 'refused' in read || 'refused' in rewritten) return { problems };
  const { target } = read;
  const mount = target.path + prefix;
  const keepsPath = rewritten.rewrite === null && mount === (strips ? base : '');
  if (target.hostname === domain && keepsPath) refuse('target', 'target_loop');
  if (problems.length > 0) return { problems };
  const { id } = record;
  return {
    rule: {
      ...{ id, base, segments: countSegments(base), strips, target, mount, rewrite: rewritten.rewrite },
      xForwardedHost: record.xForwardedHost || null,
      injection: record.injection || null,
    },
  };
}

/** The primary website is the last rule. */
export function sourceAsRule(source: string): RuleDefinition {
  return {
    ...{
      id: sourceRuleId,
      path: '/',
      type: 'simple',
      target: source,
      xForwardedHost: '',
      proxyPathPrefix: '',
    },
    ...{ pathRewriteSrc: '', pathRewriteDest: '', injection: '' },
  };
}

/** A rule's path in the form that is compared. A slash or `/*` at its end means nothing. Null for a path that no request can have. */
export function readBase(path: string): string | null {
  const cut = path.endsWith('/*') ? path.slice(0, -2) : path;
  if (cut === '') return path === '' ? null : '';
  const normal = normalisePath(cut);
  return normal === null ? null : withoutTrailingSlash(normal.compared);
}

/** `site-a`, `/site-a` and `/site-a/` are one. */
function readPrefix(prefix: string): string | null {
  const inner = prefix.trim();
  if (inner === '' || inner === '/') return '';
  const normal = normalisePath(inner.startsWith('/') ? inner : `/${inner}`);
  return normal === null ? null : withoutTrailingSlash(normal.sent);
}

function isForwardedHost(text: string): boolean {
  return (
    text === '' ||
    (text.length <= 260 && /^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/.test(text))
  );
}

function findMembers(rules: readonly Rule[]): ReadonlyMap<string, Members<Rule>> {
  const members = new Map<string, Rule[]>();
  for (const rule of rules) {
    if (!rule.strips && rule.id !== sourceRuleId) continue;
    const known = members.get(rule.target.host);
    if (known) known.push(rule);
    else members.set(rule.target.host, [rule]);
  }
  return new Map([...members].map(([host, each]) => [host, indexMembers(each)]));
}
