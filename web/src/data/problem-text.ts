import { correctTheFields } from '@homeport/contract/problems/correct-the-fields';
import type { Problem } from '@homeport/contract/problems/schema';
import { ApiProblem } from './api-problem.ts';

/** One or two sentences for the user: the failure, and the way out. */
export function problemText(error: unknown): string {
  if (error instanceof ApiProblem) return sentencesOf(error.problem);
  return error instanceof Error ? error.message : 'Something failed on this page. Try again.';
}

/** Names each refused field, because the form may not show it (a choice, an entry of a list, a field of another step). */
function sentencesOf({ message, recovery, fields }: Problem): string {
  const refused = Object.entries(fields ?? {});
  if (refused.length === 0) return `${message} ${recovery}`;
  const named = refused.map(([field, why]) => `${fieldInWords(field)}: ${why}`);
  const isOfField = refused.some(([, why]) => why === message);
  const usual = recovery === correctTheFields;
  return [...(isOfField ? [] : [message]), ...named, ...(usual ? [] : [recovery])].join(' ');
}

/** `imageVersion` becomes "Image version", `keyIds.0` "Key 1". */
function fieldInWords(field: string): string {
  const words = field
    .split('.')
    .map((part) =>
      /^\d+$/.test(part)
        ? String(Number(part) + 1)
        : part.replace(/Ids?$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    );
  const text = words.join(' ');
  if (text === 'ip') return 'IP';
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Waits for an act that a dialog has begun.
 *
 * @throws Error with one or two sentences for the user, which the dialog shows.
 */
export async function orSentence(act: Promise<unknown>): Promise<void> {
  try {
    await act;
  } catch (error) {
    throw new Error(problemText(error));
  }
}

/** The message for one field of a form (`name`, `domains.0`). */
export function fieldProblem(error: unknown, field: string): string | undefined {
  return error instanceof ApiProblem ? error.problem.fields?.[field] : undefined;
}
