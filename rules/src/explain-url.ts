import type { Rule, Site } from './compile-site.ts';
import { type ProxyDefinition, sourceRuleId } from './definition.ts';
import { hostOfHeader } from './domain.ts';
import { covers } from './path-parts.ts';
import { type Resolved, resolvePath, strip } from './resolve-path.ts';
import { applyRewrite } from './rewrite.ts';
import { type Warning, warnAbout } from './warnings.ts';

/** How a rule stands to a URL. Rules after the one that takes it are not looked at. */
export type Verdict = 'no-fit' | 'takes' | 'not-reached';

export type RuleVerdict = { rule: string; verdict: Verdict; why: string };

/** One change on the way from the visitor's path to the target's. `path` is the result. */
export type PathStep = { kind: 'normalise' | 'strip' | 'rewrite' | 'prefix'; path: string };

/** What a visitor's browser gets when it opens a URL. */
export type UrlExplanation =
  /** `not_handled`: another domain, answered 421. `bad_url`: answered 400. */
  | { kind: 'refused'; error: 'not_handled' | 'bad_url' }
  | {
      kind: 'taken';
      /** The rule's id, or `source`. */
      rule: string;
      verdicts: readonly RuleVerdict[];
      steps: readonly PathStep[];
      /** The address that is asked. */
      url: string;
      /** A browser is sent to this path first, because a page's relative links would leave the rule otherwise. */
      redirect: string | null;
      /** What the proxy service sets, beside the visitor's own headers. */
      headers: readonly (readonly [name: string, value: string])[];
      cacheKey: string;
      /** About the rule that takes the URL. */
      warnings: readonly Warning[];
    };

/** Stands where the address of a real visitor would. */
const visitor = 'the visitor’s address';

/**
 * Explains what happens when a browser opens a URL, step by step, without opening it.
 *
 * @param typed a URL, or a path on the site's domain
 * @param definition what `site` was compiled from
 */
export function explainUrl(site: Site, definition: ProxyDefinition, typed: string): UrlExplanation {
  const asked = readUrl(typed.trim(), site.domain);
  if (hostOfHeader(asked.host) !== site.domain) return { kind: 'refused', error: 'not_handled' };
  const resolved = resolvePath(site, asked.path);
  if (resolved === null) return { kind: 'refused', error: 'bad_url' };
  const { rule, path, query, upstream, isBareBase } = resolved;
  return {
    kind: 'taken',
    rule: rule.id,
    verdicts: verdictsOf(site, resolved),
    steps: stepsOf(asked.path.split('?', 1)[0] ?? '', resolved),
    url: `${rule.target.protocol}//${rule.target.host}${upstream}`,
    redirect: isBareBase ? `${path.sent}/${query}` : null,
    headers: headersOf(rule, asked),
    cacheKey: `${asked.scheme}://${site.domain}${path.sent}${query}`,
    warnings: warnAbout(site, definition).filter((warning) => 'rule' in warning && warning.rule === rule.id),
  };
}

/** What `explainUrl` says of the answer alone: no warnings and no steps, so a hundred URLs cost little. */
export function answerUrl(site: Site, typed: string): { takenBy: string | null; gets: string } {
  const asked = readUrl(typed.trim(), site.domain);
  if (hostOfHeader(asked.host) !== site.domain) return { takenBy: null, gets: 'not_handled' };
  const resolved = resolvePath(site, asked.path);
  if (resolved === null) return { takenBy: null, gets: 'bad_url' };
  const { target } = resolved.rule;
  return { takenBy: resolved.rule.id, gets: `${target.protocol}//${target.host}${resolved.upstream}` };
}

type Asked = { scheme: 'http' | 'https'; host: string; path: string };

/** Reads a URL as a browser sends it: without its fragment, with escapes for what no request line has. */
function readUrl(typed: string, domain: string): Asked {
  const text = encodeUnsent(typed.split('#', 1)[0] ?? '');
  if (text === '' || text.startsWith('/') || text.startsWith('?'))
    return { scheme: 'https', host: domain, path: text.startsWith('/') ? text : `/${text}` };
  const scheme = /^http:\/\//i.test(text) ? 'http' : 'https';
  const rest = text.replace(/^https?:\/\//i, '');
  const end = rest.search(/[/?]/);
  if (end < 0) return { scheme, host: rest, path: '/' };
  const path = rest.slice(end);
  return { scheme, host: rest.slice(0, end), path: path.startsWith('/') ? path : `/${path}` };
}

function encodeUnsent(text: string): string {
  let encoded = '';
  for (const character of text) {
    if (character > ' ' && character <= '~') encoded += character;
    else encoded += /\p{Cs}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character);
  }
  return encoded;
}

function verdictsOf(site: Site, { rule: taking, path }: Resolved): RuleVerdict[] {
  let taken = false;
  return site.rules.map((rule) => {
    if (taken) return { rule: rule.id, verdict: 'not-reached', why: 'An earlier rule takes it' };
    taken = rule === taking;
    if (!taken) return { rule: rule.id, verdict: 'no-fit', why: whyNot(rule, path.compared) };
    const why = rule.id === sourceRuleId ? 'No rule takes it' : `It is under ${rule.base || '/'}`;
    return { rule: rule.id, verdict: 'takes', why };
  });
}

function whyNot({ base }: Rule, compared: string): string {
  if (compared.startsWith(base)) return `${base} ends in the middle of a segment`;
  if (covers(base.toLowerCase(), compared.toLowerCase())) return `${base} is written in other letter cases`;
  return `It is not under ${base}`;
}

/** Only the steps that change something. */
function stepsOf(asked: string, { rule, path }: Resolved): PathStep[] {
  const steps: PathStep[] = [];
  const add = (kind: PathStep['kind'], before: string, after: string) => {
    if (before !== after) steps.push({ kind, path: after });
    return after;
  };
  add('normalise', asked, path.sent);
  const below = rule.strips ? strip(rule, path) : path;
  const stripped = add('strip', path.sent, below.sent);
  const rewritten =
    rule.rewrite === null
      ? stripped
      : add('rewrite', stripped, applyRewrite(rule.rewrite, below.sent, below.compared));
  add('prefix', rewritten, rule.mount + rewritten);
  return steps;
}

function headersOf(rule: Rule, { scheme, host }: Asked): [string, string][] {
  const forwardedHost = rule.xForwardedHost ?? host;
  return [
    ['Host', rule.target.host],
    ['X-Forwarded-For', visitor],
    ['X-Forwarded-Proto', scheme],
    ['X-Forwarded-Host', forwardedHost],
    ...(rule.strips ? [['X-Forwarded-Prefix', rule.base] as [string, string]] : []),
    ['Forwarded', `for=…;host="${forwardedHost}";proto=${scheme}`],
  ];
}
