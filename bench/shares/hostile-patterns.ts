import { answerUrl, compileSite } from '@homeport/rules';

/** Repetitions in repetitions, alternatives that all fit, and states that double with each letter. */
export const hardPatterns = [
  '^/(?:.?){40}(?:.?){40}(?:.?){40}$',
  '^/(?:(a|b)*c?){20}$',
  '^/(a*)*(a*)*(a*)*b$',
  '^/(?:a|a|a|a|a|a|a|a|a|a|a|a)*$',
  '^/(?:(a)|(a)|(a)|(a)|(a)|(a)|(a))*x$',
  '^/(.*)a[ab]{200}$',
  '^/[ab]*a[ab]{15}$',
  '^/([ab]*)a[ab]{60}([ab]*)b[ab]{60}c',
  '^(?i)/(?:[a-zA-Z]*\\w*)*x$',
];
const letters = ['a', 'ab', 'aab', 'a/'];
const tries = 3;

/**
 * The time of the slowest path, in milliseconds. Of three tries with a fresh program the fastest counts, because others on the machine
 * only add to it.
 */
export function slowestPathMs(): number {
  // The first round is the compiler's.
  for (const pattern of hardPatterns) slowestOf(pattern);
  return Math.max(...hardPatterns.map(slowestOf));
}

function slowestOf(pattern: string): number {
  return Math.max(
    ...letters.map((each) =>
      Math.min(
        ...Array.from({ length: tries }, () => {
          const { site, longest } = compiled(pattern);
          const path = `/${each.repeat(longest)}`.slice(0, longest);
          const begun = performance.now();
          answerUrl(site, path);
          return performance.now() - begun;
        }),
      ),
    ),
  );
}

function compiled(pathRewriteSrc: string) {
  const rule = {
    ...{ id: 'a', path: '/', type: 'simple' as const, target: 'https://a.test', xForwardedHost: '' },
    ...{ proxyPathPrefix: '', pathRewriteSrc, pathRewriteDest: '/', injection: '' },
  };
  const made = compileSite({ id: 'a', domain: 'a.example', source: 'https://b.test', records: [rule] });
  const rewrite = 'site' in made ? made.site.rules[0]?.rewrite : null;
  if (!('site' in made) || rewrite?.kind !== 'pattern') throw new Error(`${pathRewriteSrc} is refused.`);
  return { site: made.site, longest: rewrite.longest };
}
