import { type RefObject, useEffect } from 'react';
import { focusFirstWrong } from '../ui/form/focus-first-wrong.ts';

/** After each refused submit, moves the focus to the first faulty field. */
export function useFormFocus(form: RefObject<HTMLFormElement | null>, refusals: number): void {
  useEffect(() => {
    if (refusals > 0) focusFirstWrong(form.current);
  }, [form, refusals]);
}
