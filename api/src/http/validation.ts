import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { ProblemError } from './problem.ts';

const mostFieldsNamed = 20;
const longestFieldName = 80;

/**
 * Checks the input of a request. A path that cannot name a record is answered as not found. Every other
 * failure names its fields.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (input: unknown) => checkInput(schema, input, httpPart);
};

/** Reads one part of a request by its schema, or returns the Problem. */
export function checkInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  part: string | undefined,
): { value: T; error?: never } | { error: ProblemError } {
  const result = schema.safeParse(input, { error: humanMessage });
  if (result.success) return { value: result.data };
  if (part === 'params') return { error: new ProblemError('not_found', 'There is nothing at this address.') };
  return { error: invalidInput(result.error.issues) };
}

/** The Problem of one field whose value is well-formed but not acceptable. */
export function invalidField(field: string, message: string): ProblemError {
  return new ProblemError('invalid_input', message, { fields: { [field]: message } });
}

function invalidInput(issues: z.core.$ZodIssue[]): ProblemError {
  const fields: Record<string, string> = {};
  let whole: string | undefined;
  const name = (path: PropertyKey[], message: string) => {
    const field = path.map(String).join('.').slice(0, longestFieldName);
    if (field === '') whole ??= message;
    else if (Object.keys(fields).length < mostFieldsNamed) fields[field] ??= message;
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) name([...issue.path, key], 'This field is not known here.');
    } else {
      name(issue.path, issue.message);
    }
  }
  const messages = Object.values(fields);
  const summary = messages.length === 1 ? messages[0] : `${messages.length} fields need another value.`;
  return new ProblemError('invalid_input', whole ?? summary ?? 'The request is not valid.', { fields });
}

const nouns: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/**
 * The message for an issue that has no words in its schema. Never repeats the value, which may be a secret.
 */
function humanMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    if (!issue.path?.length) return 'Send a JSON object.';
    if (issue.input === undefined) return 'This is required.';
    return `This must be ${nouns[issue.expected as string] ?? 'of another type'}.`;
  }
  if (issue.code === 'invalid_value') {
    return `Choose one of: ${(issue.values as unknown[]).map(String).join(', ')}.`;
  }
  if (issue.code === 'too_big') return `At most ${String(issue.maximum)}.`;
  if (issue.code === 'too_small') return `At least ${String(issue.minimum)}.`;
  return 'This value does not have the right form.';
}
