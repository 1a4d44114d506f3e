import { passwordCharacters } from '@homeport/contract/identity/facts';

export interface PasswordForm {
  current: string;
  next: string;
  /** The form was sent, so each field says what is wrong with it. */
  sent: boolean;
}

export const emptyPasswordForm: PasswordForm = { current: '', next: '', sent: false };

export type PasswordFormEvent =
  | { type: 'typed'; field: 'current' | 'next'; text: string }
  | { type: 'sent' }
  | { type: 'done' };

export function passwordForm(form: PasswordForm, event: PasswordFormEvent): PasswordForm {
  switch (event.type) {
    case 'typed':
      return { ...form, [event.field]: event.text };
    case 'sent':
      return { ...form, sent: true };
    case 'done':
      return emptyPasswordForm;
  }
}

/** What is wrong with each field before the form is sent. */
export function passwordProblems({ current, next }: PasswordForm): { current?: string; next?: string } {
  return {
    ...(current === '' && { current: 'Enter your password.' }),
    ...(next.length < passwordCharacters.least && {
      next: `Use at least ${passwordCharacters.least} characters.`,
    }),
  };
}
