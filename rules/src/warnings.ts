import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { Rule, Site } from './compile-site.ts';
import type { ProxyDefinition } from './definition.ts';
import { covers } from './path-parts.ts';
import { isPrivateByName } from './target.ts';

/** What is allowed and probably not meant. `rule` is the rule's id; `by` is the number of the rule that hides it, from 1. */
export type Warning =
  | { code: 'never_reached'; rule: string; by: number }
  | { code: 'rewrite_never_fits'; rule: string }
  | { code: 'pattern_takes_short_paths'; rule: string; characters: number }
  | { code: 'other_scheme'; rule: string }
  | { code: 'private_target'; rule: string }
  | { code: 'loop'; rule: string }
  | { code: 'bare_redirect'; rule: string }
  | { code: 'star_in_path'; rule: string }
  | { code: 'many_rules' };

/** The warnings about a proxy, in the order of its rules. `definition` is what `site` was compiled from. */
export function warnAbout(site: Site, definition: ProxyDefinition): Warning[] {
  const warnings: Warning[] = [];
  const source = site.rules.at(-1);
  for (const [index, rule] of site.rules.entries()) {
    const isSource = rule === source;
    const by = site.rules.findIndex((earlier, place) => place < index && covers(earlier.base, rule.base));
    if (by >= 0) warnings.push({ code: 'never_reached', rule: rule.id, by: by + 1 });
    if (rewriteNeverFits(rule)) warnings.push({ code: 'rewrite_never_fits', rule: rule.id });
    if (rule.rewrite?.kind === 'pattern' && rule.rewrite.longest < warnedBelow)
      warnings.push({ code: 'pattern_takes_short_paths', rule: rule.id, characters: rule.rewrite.longest });
    if (speaksPlainly(rule, isSource ? site.rules : source && [source]))
      warnings.push({ code: 'other_scheme', rule: rule.id });
    if (isPrivateByName(rule.target)) warnings.push({ code: 'private_target', rule: rule.id });
    if (rule.target.hostname === site.domain) warnings.push({ code: 'loop', rule: rule.id });
    if (rule.strips) warnings.push({ code: 'bare_redirect', rule: rule.id });
    if (definition.records[index]?.path.replace(/\/\*$/, '').includes('*'))
      warnings.push({ code: 'star_in_path', rule: rule.id });
  }
  if (definition.records.length > proxyLimits.rulesBeforeWarning) warnings.push({ code: 'many_rules' });
  return warnings;
}

/** Paths of websites are hardly ever longer. */
const warnedBelow = 2_000;

/** The website is asked over http, although another one of the domain is asked over https. */
function speaksPlainly({ target }: Rule, others: readonly Rule[] = []): boolean {
  return target.protocol === 'http:' && others.some((other) => other.target.protocol === 'https:');
}

/** A prefix that shares no path with the rule. A subdirectory rule's own path is gone before the rewrite, so there every prefix can fit. */
function rewriteNeverFits({ rewrite, strips, base }: Rule): boolean {
  if (rewrite?.kind !== 'prefix' || strips) return false;
  return !covers(rewrite.src, base) && !covers(base, rewrite.src);
}
