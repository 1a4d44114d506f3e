export {
  type Compiled,
  compileRule,
  compileSite,
  type ProblemCode,
  type Rule,
  type RuleField,
  readBase,
  type Site,
  type SiteProblem,
  sourceAsRule,
} from './compile-site.ts';
export { type ProxyDefinition, type RuleDefinition, sourceRuleId } from './definition.ts';
export { hostOfHeader, normaliseDomain } from './domain.ts';
export {
  answerTo,
  explainUrl,
  type PathStep,
  type RuleVerdict,
  type UrlExplanation,
  type Verdict,
} from './explain-url.ts';
export { type NormalPath, normalisePath } from './normalise-path.ts';
export {
  findRule,
  type Resolved,
  redirectsBareBase,
  resolvePath,
  strip,
  upstreamPath,
} from './resolve-path.ts';
export { applyRewrite, type Rewrite } from './rewrite.ts';
export { isPrivateByName, readTarget, type Target, type TargetRefusal } from './target.ts';
export { problemText, warningText } from './texts.ts';
export { cookiePathToPublic, leavesRule, toPublic } from './to-public.ts';
export { type Warning, warnAbout } from './warnings.ts';
