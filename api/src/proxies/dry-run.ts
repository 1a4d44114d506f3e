import type { DryRun } from '@homeport/contract/proxies/schema';
import { compileSite, explainUrl } from '@homeport/rules';
import type { Owner } from '@homeport/store';
import { definitionOf, findProxy, type ProxyRow } from '../records/proxy-record.ts';
import { askPlane, headerOf, type PlaneAnswer } from './ask-plane.ts';
import type { ProxyDeps } from './deps.ts';

export const notServed =
  'The proxy service does not serve the domain yet, so no website was asked. The page says what is missing.';
export const outOfReach =
  'The proxy service could not be reached, or the website took longer than 10 seconds.';

/** Asks for a URL once through the proxy service, on the rules that are saved. */
export async function dryRun(
  { store, plane }: ProxyDeps,
  owner: Owner,
  { id, url }: { id: string; url: string },
  signal: AbortSignal,
): Promise<DryRun> {
  const proxy = await store.read(owner, (scope) => findProxy(scope, id));
  if (!proxy.allowed || !proxy.holds) return { kind: 'failed', reason: notServed };
  const definition = definitionOf(proxy);
  const compiled = compileSite(definition);
  if ('problems' in compiled) return { kind: 'failed', reason: 'The rules cannot be compiled.' };
  const explanation = explainUrl(compiled.site, definition, url);
  if (explanation.kind === 'refused')
    return { kind: 'failed', reason: 'The proxy service refuses this URL before any website is asked.' };
  const path = explanation.cacheKey.slice(explanation.cacheKey.indexOf('/', 'https://'.length));
  try {
    const answer = await askPlane(plane, proxy.domain, path, signal);
    const { status, headers, durationMs } = answer;
    const snippet = snippetOf(answer, injectionOf(proxy, explanation.rule));
    return { kind: 'answered', status, headers, durationMs, snippet };
  } catch {
    return { kind: 'failed', reason: outOfReach };
  }
}

const injectionOf = ({ records }: ProxyRow, rule: string): string =>
  records.find(({ id }) => id === rule)?.injection ?? '';

type Snippet = Extract<DryRun, { kind: 'answered' }>['snippet'];

/** Whether the HTML of the rule is in the page, and what a browser will think of it. */
function snippetOf(answer: PlaneAnswer, injection: string): Snippet {
  if (injection === '') return { state: 'none', why: null };
  if (!answer.body.includes(injection)) return { state: 'missing', why: whyMissing(answer) };
  const policy = headerOf(answer, 'content-security-policy');
  const directives = policy.split(';').map((each) => each.trim());
  const directive =
    directives.find((each) => each.startsWith('script-src')) ??
    directives.find((each) => each.startsWith('default-src'));
  if (directive === undefined || !injection.includes('<script') || directive.includes("'unsafe-inline'"))
    return { state: 'placed', why: null };
  return { state: 'placed', why: `This page’s policy (${directive}) will block the snippet.` };
}

function whyMissing(answer: PlaneAnswer): string {
  const type = headerOf(answer, 'content-type');
  if (!type.startsWith('text/html')) return `The answer is no HTML page${type === '' ? '' : ` but ${type}`}.`;
  const coding = headerOf(answer, 'content-encoding');
  if (coding !== '') return `The page comes in the coding ${coding}, which is passed on untouched.`;
  if (/no-transform/i.test(headerOf(answer, 'cache-control'))) return 'The page says no-transform.';
  return `The page has the status ${answer.status} and the type ${type}, which is passed on untouched.`;
}
