import { messages } from '@homeport/contract/messages';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProxyRule } from '@homeport/contract/proxies/schema';

/** A rule as typed. */
export type RuleDraft = Omit<ProxyRule, 'id'>;
export type RuleField = keyof RuleDraft;
export type RuleProblems = Partial<Record<RuleField, string>>;

export const emptyRule: RuleDraft = {
  path: '',
  type: 'simple',
  target: '',
  xForwardedHost: '',
  proxyPathPrefix: '',
  pathRewriteSrc: '',
  pathRewriteDest: '',
  injection: '',
};

export const draftOf = ({ id: _, ...draft }: ProxyRule): RuleDraft => draft;

/** Finds faults before the page calls the console. The console's answer names all other faults. */
export function ruleProblems(draft: RuleDraft): RuleProblems {
  const problems: RuleProblems = {};
  const path = draft.path.trim();
  if (path === '') problems.path = 'Enter a path such as /blog.';
  else if (draft.type === 'subdirectory' && (path === '/' || path === '/*'))
    problems.path = messages.subdirectoryOfAll;
  if (draft.target.trim() === '') problems.target = 'Enter the address of a website.';
  if (new TextEncoder().encode(draft.injection).byteLength > proxyLimits.injectionBytes)
    problems.injection = `Use at most ${proxyLimits.injectionBytes / 1024} KiB.`;
  return problems;
}
