import { isProblem } from '../../data/api-problem.ts';

/** The sentences of a refusal because saved URLs would be answered otherwise; empty for every other error. */
export function changedAnswers(error: unknown): string[] {
  if (!isProblem(error, 'conflict')) return [];
  const fields = Object.entries(error.problem.fields ?? {});
  return fields.filter(([name]) => name.startsWith('tests.')).map(([, text]) => text);
}
