import { errorCatalogue } from '@homeport/contract/problems/facts';
import { describe, expect, it } from 'vitest';
import { ApiProblem } from './api-problem.ts';
import { problemText } from './problem-text.ts';

const refusal = (fields: Record<string, string> | undefined, message = 'Enter a name.', recovery?: string) =>
  new ApiProblem({
    code: 'invalid_input',
    message,
    recovery: recovery ?? errorCatalogue.invalid_input.recovery,
    ...(fields ? { fields } : {}),
  });

describe('the sentences about a refused form', () => {
  it('name each refused field, and promise no names without one', () => {
    expect(problemText(refusal({ name: 'Enter a name.' }))).toBe('Name: Enter a name.');
    expect(
      problemText(refusal({ imageVersion: 'Too long.', 'keyIds.0': 'Unknown.' }, 'This does not fit.')),
    ).toBe('This does not fit. Image version: Too long. Key 1: Unknown.');
    expect(problemText(refusal(undefined, 'No.', 'Correct it and send it again.'))).toBe(
      'No. Correct it and send it again.',
    );
  });

  it('keep a way out that was written for this refusal', () => {
    expect(problemText(refusal({ ip: 'Linked already.' }, 'Linked already.', 'Choose another.'))).toBe(
      'IP: Linked already. Choose another.',
    );
  });
});
