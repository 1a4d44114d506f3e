import { expect, it } from 'vitest';
import { emptyPasswordForm, passwordForm, passwordProblems } from './password-form.ts';

it('keeps what was typed until the password has changed', () => {
  const typed = passwordForm(emptyPasswordForm, { type: 'typed', field: 'next', text: 'harbour lights' });
  const chosen = passwordForm(typed, { type: 'chosen', endOtherWays: true });
  const sent = passwordForm(chosen, { type: 'sent' });
  expect(sent).toEqual({ current: '', next: 'harbour lights', endOtherWays: true, sent: true });
  expect(passwordForm(sent, { type: 'done' })).toEqual(emptyPasswordForm);
});

it('names an empty and a short password', () => {
  expect(passwordProblems({ current: '', next: '1234567' })).toEqual({
    current: 'Enter your password.',
    next: 'Use at least 8 characters.',
  });
  expect(passwordProblems({ current: 'x', next: '12345678' })).toEqual({});
});
