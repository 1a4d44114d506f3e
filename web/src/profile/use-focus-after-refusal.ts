import { type RefObject, useEffect } from 'react';
import { fieldProblem } from '../data/problem-text.ts';

/** Moves the focus to the field that a call refused. While the call runs the form is inert, and takes no focus. */
export function useFocusAfterRefusal(
  error: unknown,
  field: string,
  input: RefObject<HTMLInputElement | null>,
): void {
  useEffect(() => {
    if (fieldProblem(error, field) !== undefined) input.current?.focus();
  }, [error, field, input]);
}
