import { expect, test } from 'vitest';
import { UnsavedForms } from './unsaved-forms.ts';

const form = () => ({ isConnected: true, problem: false, querySelector: noProblem });
function noProblem(this: { problem: boolean }) {
  return this.problem ? {} : null;
}

test('input that was not sent is unsaved, in any form of the page', () => {
  const forms = new UnsavedForms();
  expect(forms.any()).toBe(false);
  const [first, second] = [form(), form()];
  forms.typed(first);
  forms.typed(second);
  forms.sent(second);
  expect(forms.any()).toBe(true);
  forms.sent(first);
  expect(forms.any()).toBe(false);
});

test('a form that was refused, or typed in again, is unsaved', () => {
  const forms = new UnsavedForms();
  const refused = form();
  forms.typed(refused);
  forms.sent(refused);
  refused.problem = true;
  expect(forms.any()).toBe(true);
  refused.problem = false;
  forms.typed(refused);
  expect(forms.any()).toBe(true);
});

test('a form that is gone, and one that was only sent, hold nothing', () => {
  const forms = new UnsavedForms();
  const gone = form();
  forms.typed(gone);
  gone.isConnected = false;
  forms.sent(form());
  expect(forms.any()).toBe(false);
});
