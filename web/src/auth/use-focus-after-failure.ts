import { type RefObject, useEffect } from 'react';

/**
 * Moves focus to the field after a failure. The form is inert while the call runs, and no inert field takes
 * focus.
 */
export function useFocusAfterFailure(failures: number, field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (failures > 0) field.current?.focus();
  }, [failures, field]);
}
