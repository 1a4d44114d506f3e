/**
 * Moves the focus to the first field of a form that is marked as wrong: a text field, or a choice of the first group whose message
 * says what is missing.
 */
export function focusFirstWrong(form: Element | null): void {
  form
    ?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[aria-describedby] input:not(:disabled)')
    ?.focus();
}

/** The same after a refusal that the page itself found: React draws the marks first, so this waits for a frame. */
export function focusFirstWrongOnceDrawn(form: Element | null): void {
  requestAnimationFrame(() => focusFirstWrong(form));
}
