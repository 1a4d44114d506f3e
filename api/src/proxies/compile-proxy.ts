import { setImmediate } from 'node:timers/promises';
import type { ProxyRecord, ProxyTest } from '@homeport/contract/proxies/schema';
import {
  answerUrl,
  compileSite,
  type ProxyDefinition,
  problemText,
  type Site,
  type SiteProblem,
  sourceRuleId,
} from '@homeport/rules';
import { ProblemError } from '../http/problem.ts';

/**
 * Compiles a proxy as the data plane will. Throws `invalid_input` with each problem beside its field.
 *
 * @param edited the id of the rule whose fields the request holds
 */
export function compileProxy(definition: ProxyDefinition, edited?: string): Site {
  const compiled = compileSite(definition);
  if ('site' in compiled) return compiled.site;
  const fields: Record<string, string> = {};
  for (const problem of compiled.problems)
    fields[fieldOf(problem, edited)] ??= textOf(problem, definition, edited);
  const [only, ...more] = Object.values(fields);
  throw new ProblemError(
    'invalid_input',
    more.length === 0 && only !== undefined ? only : 'Some fields need another value.',
    { fields },
  );
}

const ofRule = ({ rule }: SiteProblem): boolean => rule !== sourceRuleId && rule !== 'domain';

/** A problem of another rule comes from the field that the request changed: only the domain can make one. */
const fieldOf = (problem: SiteProblem, edited: string | undefined): string =>
  ofRule(problem) && problem.rule !== edited && problem.code !== 'rewrite_together'
    ? 'domain'
    : problem.field;

function textOf(problem: SiteProblem, { records }: ProxyDefinition, edited: string | undefined): string {
  const text = problemText(problem.code);
  if (!ofRule(problem) || problem.rule === edited || problem.code === 'rewrite_together') return text;
  return `Rule ${records.findIndex(({ id }) => id === problem.rule) + 1}: ${text}`;
}

/** The saved URLs with the answers that a site gives now. Others have their turn after each, because a pattern may take some 10 ms. */
export async function answerTests(site: Site, urls: readonly string[]): Promise<ProxyTest[]> {
  const answered: ProxyTest[] = [];
  for (const url of urls) {
    answered.push({ url, ...answerUrl(site, url) });
    await setImmediate();
  }
  return answered;
}

/**
 * Tries the saved URLs on a changed site. Throws `conflict` with a sentence for each URL that is answered otherwise, unless the person
 * wants the new answers saved.
 */
export async function retest(
  { tests, rules }: Pick<ProxyRecord, 'tests' | 'rules'>,
  site: Site,
  definition: ProxyDefinition,
  newAnswers: 'refuse' | 'save',
): Promise<ProxyTest[]> {
  const now = await answerTests(
    site,
    tests.map(({ url }) => url),
  );
  if (newAnswers === 'save') return now;
  const fields = Object.fromEntries(
    now.flatMap((test, index) => {
      const before = tests[index];
      if (before && before.takenBy === test.takenBy && before.gets === test.gets) return [];
      const was = before ? answerText(before, rules) : 'nothing';
      return [
        [
          `tests.${index}`,
          `${test.url} was answered by ${was}, and would be by ${answerText(test, definition.records)}.`,
        ],
      ];
    }),
  );
  const changed = Object.keys(fields).length;
  if (changed === 0) return now;
  throw new ProblemError(
    'conflict',
    `${changed === 1 ? 'One saved URL is' : `${changed} saved URLs are`} answered otherwise after this change. Nothing was changed.`,
    { fields, recovery: 'Change the rule, or save the new answers with it.' },
  );
}

function answerText({ takenBy, gets }: ProxyTest, rules: readonly { id: string }[]): string {
  if (takenBy === null)
    return gets === 'bad_url' ? 'a refusal' : 'no site, because the domain is another one';
  const place = rules.findIndex(({ id }) => id === takenBy);
  return `${takenBy === sourceRuleId ? 'the current website' : `rule ${place + 1}`} with ${gets}`;
}
