import type { DryRun } from '@homeport/contract/proxies/schema';
import type { Owner } from '@homeport/store';
import { definitionOf, type ProxyRow } from '../records/proxy-record.ts';
import { askPlane, headerOf, type PlaneAnswer } from './ask-plane.ts';
import { withoutHtml } from './compile-proxy.ts';
import type { ProxyDeps } from './deps.ts';
import { readPaced } from './read-paced.ts';
import { RuleWorkError } from './rule-worker/rule-work.ts';
import { takesTooLong } from './work-failure.ts';

export const notServed =
  'The proxy service does not serve the domain yet, so no website was asked. The page says what is missing.';
export const outOfReach =
  'The proxy service could not be reached, or the website took longer than 10 seconds.';
const notTried = 'The console could not try the rules now. Try again in a moment.';

/** Asks for a URL once through the proxy service, on the rules that are saved. */
export async function dryRun(
  deps: ProxyDeps,
  owner: Owner,
  { id, url }: { id: string; url: string },
  signal: AbortSignal,
): Promise<DryRun> {
  const { plane, work } = deps;
  const proxy = await readPaced(deps, owner, id);
  if (!proxy.allowed || !proxy.holds) return { kind: 'failed', reason: notServed };
  const definition = withoutHtml(definitionOf(proxy));
  let takesLong: keyof typeof takesTooLong = 'rules';
  try {
    const located = await work.run(owner, 'locate', { definition, url });
    if (located === null)
      return { kind: 'failed', reason: 'The proxy service refuses this URL before any website is asked.' };
    const answer = await askPlane(plane, proxy.domain, located.path, signal).catch(() => null);
    if (answer === null) return { kind: 'failed', reason: outOfReach };
    const { status, headers, durationMs } = answer;
    takesLong = 'page';
    const injection = injectionOf(proxy, located.rule);
    const isThere =
      injection !== '' &&
      (await work.run(owner, 'contains', { body: new Uint8Array(answer.body), text: injection }));
    const snippet = snippetOf(answer, injection, isThere);
    return { kind: 'answered', status, headers, durationMs, snippet };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error, takesLong) };
  }
}

/** Why a job did not end. Throws any other error. */
export function reasonOf(error: unknown, what: keyof typeof takesTooLong = 'page'): string {
  if (!(error instanceof RuleWorkError)) throw error;
  return error.end === 'ended' ? notTried : takesTooLong[what];
}

const injectionOf = ({ records }: ProxyRow, rule: string): string =>
  records.find(({ id }) => id === rule)?.injection ?? '';

type Snippet = Extract<DryRun, { kind: 'answered' }>['snippet'];

/** Whether the HTML of the rule is in the page, and what a browser will think of it. */
function snippetOf(answer: PlaneAnswer, injection: string, isThere: boolean): Snippet {
  if (injection === '') return { state: 'none', why: null };
  if (!isThere) return { state: 'missing', why: whyMissing(answer) };
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
