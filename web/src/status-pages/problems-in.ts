import type { ZodType } from 'zod';

/** What the contract refuses in an input, under the names that the console's answer would have: `components.2.name`. */
export function problemsIn(schema: ZodType, input: unknown): Readonly<Record<string, string>> {
  const { error } = schema.safeParse(input);
  const problems: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) problems[path.join('.')] ??= message;
  return problems;
}
