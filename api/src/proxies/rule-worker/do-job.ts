import { answerUrl, compileSite, explainUrl, warnAbout } from '@homeport/rules';
import { findInScript, findInStyle, findOrphaned } from './find-orphaned.ts';
import type { JobKind, Jobs } from './jobs.ts';

/** Does one job. Only the worker may run it: a person’s pattern or page holds up whatever runs beside it. */
export function doJob<K extends JobKind>(kind: K, asked: Jobs[K]['asked']): Jobs[K]['answered'] {
  return work[kind](asked);
}

const work: { [K in JobKind]: (asked: Jobs[K]['asked']) => Jobs[K]['answered'] } = {
  check({ definition, urls }) {
    const compiled = compileSite(definition);
    if ('problems' in compiled) return { problems: compiled.problems };
    const { site } = compiled;
    return {
      tests: urls.map((url) => ({ url, ...answerUrl(site, url) })),
      warnings: warnAbout(site, definition),
    };
  },
  locate({ definition, url }) {
    const compiled = compileSite(definition);
    if ('problems' in compiled) return null;
    const explanation = explainUrl(compiled.site, definition, url);
    if (explanation.kind === 'refused') return null;
    const { rule, cacheKey } = explanation;
    return { rule, path: cacheKey.slice(cacheKey.indexOf('/', 'https://'.length)) };
  },
  examine({ as, body, place }) {
    // Any charset that keeps ASCII.
    const text = Buffer.from(body).toString('latin1');
    if (as === 'page') return findOrphaned(text, place);
    const leaving = as === 'style' ? findInStyle(text, place) : findInScript(text, place);
    return { leaving, pages: [], files: [] };
  },
  contains: ({ body, text }) => Buffer.from(body).includes(text),
};
