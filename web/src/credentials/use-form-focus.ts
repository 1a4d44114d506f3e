import { type RefObject, useEffect } from 'react';

/** After each refused submit, moves the focus to the first faulty field. */
export function useFormFocus(form: RefObject<HTMLFormElement | null>, refusals: number): void {
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, refusals]);
}
