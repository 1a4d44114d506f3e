import { passwordCharacters } from '@homeport/contract/identity/facts';

export interface PasswordForm {
  current: string;
  next: string;
  /** API tokens, passkeys, the link to GitHub and destinations of news end too. */
  endOtherWays: boolean;
  /** The form was sent, so each field says what is wrong with it. */
  sent: boolean;
}

export const emptyPasswordForm: PasswordForm = { current: '', next: '', endOtherWays: false, sent: false };

export type PasswordFormEvent =
  | { type: 'typed'; field: 'current' | 'next'; text: string }
  | { type: 'chosen'; endOtherWays: boolean }
  | { type: 'sent' }
  | { type: 'done' };

export function passwordForm(form: PasswordForm, event: PasswordFormEvent): PasswordForm {
  switch (event.type) {
    case 'typed':
      return { ...form, [event.field]: event.text };
    case 'chosen':
      return { ...form, endOtherWays: event.endOtherWays };
    case 'sent':
      return { ...form, sent: true };
    case 'done':
      return emptyPasswordForm;
  }
}

/** What is wrong with each field before the form is sent. */
export function passwordProblems({ current, next }: Pick<PasswordForm, 'current' | 'next'>): {
  current?: string;
  next?: string;
} {
  return {
    ...(current === '' && { current: 'Enter your password.' }),
    ...(next.length < passwordCharacters.least && {
      next: `Use at least ${passwordCharacters.least} characters.`,
    }),
  };
}
