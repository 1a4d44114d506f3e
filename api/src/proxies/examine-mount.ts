import { examination } from '@homeport/contract/proxies/facts';
import type { Examination, Leaving, ProxyRule } from '@homeport/contract/proxies/schema';
import type { Owner } from '@homeport/store';
import { notFound } from '../http/problem.ts';
import { askPlane, headerOf, type PlaneAnswer } from './ask-plane.ts';
import type { ProxyDeps } from './deps.ts';
import { notServed, outOfReach, reasonOf } from './dry-run.ts';
import { readPaced } from './read-paced.ts';
import type { Found, Jobs, Place } from './rule-worker/jobs.ts';
import { RuleWorkError } from './rule-worker/rule-work.ts';

/**
 * Reads the start page of a subdirectory rule, pages that it links to, and their stylesheets and scripts, through the proxy service.
 * Lists what leads out of the rule’s path after the service has changed the answers. Changes nothing.
 */
export async function examineMount(
  deps: ProxyDeps,
  owner: Owner,
  { id, ruleId }: { id: string; ruleId: string },
  signal: AbortSignal,
): Promise<Examination> {
  const { plane, work } = deps;
  const proxy = await readPaced(deps, owner, id);
  const rule = proxy.records.find((each) => each.id === ruleId);
  if (!rule) throw notFound('rule');
  if (rule.type === 'simple')
    return { kind: 'failed', reason: 'A simple rule keeps the paths of its target, so nothing is mounted.' };
  if (!proxy.allowed || !proxy.holds) return { kind: 'failed', reason: notServed };
  const pages: string[] = [];
  const waiting = new Set([`${rule.path}/`]);
  const files = new Set<string>();
  const leaving: Leaving[] = [];
  const placeOf = (page: string) => ({ page, base: rule.path, domain: proxy.domain });
  const read = ({ body }: PlaneAnswer, as: Reading, place: Place): Promise<Found> =>
    work.run(owner, 'examine', { as, body: new Uint8Array(body), place });
  try {
    for (const page of waiting) {
      if (pages.length >= examination.pages || leaving.length >= examination.leaving) break;
      const answer = await askPlane(plane, proxy.domain, page, signal);
      pages.push(page);
      leaving.push(...inAnswer(answer, page, rule, proxy.domain));
      if (readingOf(answer) !== 'page') continue;
      const found = await read(answer, 'page', placeOf(page));
      leaving.push(...found.leaving);
      for (const next of found.pages) waiting.add(next);
      for (const file of found.files) files.add(file);
    }
    for (const file of [...files].slice(0, examination.files)) {
      if (leaving.length >= examination.leaving) break;
      const answer = await askPlane(plane, proxy.domain, file, signal);
      const as = readingOf(answer);
      if (as === 'style' || as === 'script') leaving.push(...(await read(answer, as, placeOf(file))).leaving);
    }
  } catch (error) {
    // A page that takes too long is no reason to ask for the next one: it would too.
    if (error instanceof RuleWorkError) return { kind: 'failed', reason: reasonOf(error) };
    if (pages.length === 0) return { kind: 'failed', reason: outOfReach };
  }
  return { kind: 'examined', pages, leaving: unique(leaving).slice(0, examination.leaving) };
}

type Reading = Jobs['examine']['asked']['as'];

/** How an answer is read; null: not at all. */
function readingOf(answer: PlaneAnswer): Reading | null {
  const type = headerOf(answer, 'content-type');
  if (type.startsWith('text/html')) return 'page';
  if (type.startsWith('text/css')) return 'style';
  return /^(?:text|application)\/(?:x-)?javascript/.test(type) ? 'script' : null;
}

/** What the head of an answer shows: redirects and cookies. */
function inAnswer({ headers }: PlaneAnswer, page: string, rule: ProxyRule, domain: string): Leaving[] {
  return headers.flatMap(({ name, value }): Leaving[] => {
    if (name.toLowerCase() === 'location') {
      const path = pathOn(value, domain);
      if (path === null || isUnder(path, rule.path)) return [];
      return [
        {
          kind: 'redirect',
          page,
          value,
          proposal: `Add a rule for ${path} before this one, or set the site’s base path to ${rule.path}.`,
        },
      ];
    }
    if (name.toLowerCase() !== 'set-cookie') return [];
    const [pair = '', ...attributes] = value.split(';').map((part) => part.trim());
    const path = attributes.find((each) => /^path=/i.test(each))?.slice('path='.length) ?? rule.path;
    if (isUnder(path, rule.path)) return [];
    return [
      {
        ...{ kind: 'cookie', page, value: `${pair.split('=', 1)[0]}; Path=${path}` },
        proposal: 'Every website of the domain gets this cookie. Name it so that no other website uses it.',
      },
    ];
  });
}

/** The path of an address on the domain; null for another domain, or a relative address. */
function pathOn(value: string, domain: string): string | null {
  if (value.startsWith('/') && !value.startsWith('//')) return value.split(/[?#]/, 1)[0] ?? null;
  if (!URL.canParse(value)) return null;
  const url = new URL(value);
  return url.hostname === domain ? url.pathname : null;
}

const isUnder = (path: string, base: string) => path === base || path.startsWith(`${base}/`);

function unique(leaving: readonly Leaving[]): Leaving[] {
  return [...new Map(leaving.map((each) => [`${each.kind} ${each.value}`, each])).values()];
}
