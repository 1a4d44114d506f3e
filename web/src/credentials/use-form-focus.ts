import { type RefObject, useEffect } from 'react';

/** After each refused sending the first field that is wrong has the focus. */
export function useFormFocus(form: RefObject<HTMLFormElement | null>, refusals: number): void {
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form, refusals]);
}
