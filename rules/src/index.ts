export {
  type Compiled,
  compileSite,
  type ProblemCode,
  type Rule,
  type RuleField,
  readBase,
  type Site,
  type SiteProblem,
} from './compile-site.ts';
export { type ProxyDefinition, type RuleDefinition, sourceRuleId } from './definition.ts';
export { hostOfHeader } from './domain.ts';
export {
  answerUrl,
  explainUrl,
  type PathStep,
  type RuleVerdict,
  type UrlExplanation,
  type Verdict,
} from './explain-url.ts';
export { type NormalPath, normalisePath } from './normalise-path.ts';
export {
  type Resolved,
  redirectsBareBase,
  resolvePath,
} from './resolve-path.ts';
export type { Rewrite } from './rewrite.ts';
export { readTarget, type Target, type TargetRefusal } from './target.ts';
export { problemText, warningText } from './texts.ts';
export { cookiePathToPublic, toPublic } from './to-public.ts';
export { type Warning, warnAbout } from './warnings.ts';
