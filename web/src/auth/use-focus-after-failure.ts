import { type RefObject, useEffect } from 'react';

/** Moves focus to the field once the form takes input again: while it is sent, it is inert and cannot be focused. */
export function useFocusAfterFailure(failures: number, field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (failures > 0) field.current?.focus();
  }, [failures, field]);
}
