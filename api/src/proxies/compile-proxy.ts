import type { ProxyRecord, ProxyTest } from '@homeport/contract/proxies/schema';
import {
  type ProxyDefinition,
  problemText,
  type SiteProblem,
  sourceRuleId,
  type Warning,
} from '@homeport/rules';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import type { ProxyDeps } from './deps.ts';
import { workFailure } from './work-failure.ts';

/** What the rules of a proxy that compiles make of URLs, and what about them is probably not meant. */
export type Checked = { tests: ProxyTest[]; warnings: Warning[] };

/**
 * Compiles a proxy as the data plane will, and answers URLs by its rules. Throws `invalid_input` with each problem beside its field,
 * also where that takes too long.
 *
 * @param edited the id of the rule whose fields the request holds
 */
export async function checkProxy(
  { work }: Pick<ProxyDeps, 'work'>,
  owner: Owner,
  {
    definition,
    urls,
    edited,
  }: { definition: ProxyDefinition; urls: readonly string[]; edited?: string | undefined },
): Promise<Checked> {
  const asked = { definition: withoutHtml(definition), urls };
  const pattern = definition.records.find(({ id }) => id === edited)?.pathRewriteSrc;
  const checked = await work.run(owner, 'check', asked).catch((error: unknown) => {
    throw workFailure(error, pattern ? 'pathRewriteSrc' : null);
  });
  if ('problems' in checked) throw refusalOf(checked.problems, definition, edited);
  return checked;
}

/** The HTML decides nothing here, and may be a MiB. */
export const withoutHtml = (definition: ProxyDefinition): ProxyDefinition => ({
  ...definition,
  records: definition.records.map((rule) => ({ ...rule, injection: '' })),
});

function refusalOf(
  problems: readonly SiteProblem[],
  definition: ProxyDefinition,
  edited: string | undefined,
): ProblemError {
  const fields: Record<string, string> = {};
  for (const problem of problems) fields[fieldOf(problem, edited)] ??= textOf(problem, definition, edited);
  const [only, ...more] = Object.values(fields);
  const text = more.length === 0 && only !== undefined ? only : 'Some fields need another value.';
  return new ProblemError('invalid_input', text, { fields });
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

/**
 * Compares the saved URLs with their answers on a changed site. Throws `conflict` with a sentence for each URL that is answered
 * otherwise, unless the person wants the new answers saved.
 */
export function retest(
  { tests, rules }: Pick<ProxyRecord, 'tests' | 'rules'>,
  now: ProxyTest[],
  definition: ProxyDefinition,
  newAnswers: 'refuse' | 'save',
): ProxyTest[] {
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
