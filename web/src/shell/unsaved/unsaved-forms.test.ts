import { expect, test } from 'vitest';
import { FollowedLinks, isWork, UnsavedForms } from './unsaved-forms.ts';

const form = () => ({ isConnected: true, problem: false, querySelector: noProblem });
function noProblem(this: { problem: boolean }) {
  return this.problem ? {} : null;
}

test('input that was not sent is unsaved, in any form of the page', () => {
  const forms = new UnsavedForms();
  expect(forms.any('person')).toBe(false);
  const [first, second] = [form(), form()];
  forms.typed(first);
  forms.typed(second);
  forms.sent(second);
  expect(forms.any('person')).toBe(true);
  forms.sent(first);
  expect(forms.any('person')).toBe(false);
});

test('a form that was refused, or typed in again, is unsaved', () => {
  const forms = new UnsavedForms();
  const refused = form();
  forms.typed(refused);
  forms.sent(refused);
  refused.problem = true;
  expect(forms.any('person')).toBe(true);
  refused.problem = false;
  forms.typed(refused);
  expect(forms.any('person')).toBe(true);
});

test('a form that is gone, and one that was only sent, hold nothing', () => {
  const forms = new UnsavedForms();
  const gone = form();
  forms.typed(gone);
  gone.isConnected = false;
  forms.sent(form());
  expect(forms.any('person')).toBe(false);
});

test('a form that is saved at the second try leads to its page, although the first fault is still shown', () => {
  const forms = new UnsavedForms();
  const saved = form();
  saved.problem = true;
  forms.typed(saved);
  expect(forms.any('program')).toBe(true);
  forms.sent(saved);
  expect(forms.any('program')).toBe(false);
  expect(forms.any('person')).toBe(true);
});

test('a followed link and the buttons of the browser are a person’s, and every other change of the page is the program’s', () => {
  const links = new FollowedLinks();
  expect(links.leaving('PUSH', 5_000)).toBe('program');
  expect(links.leaving('BACK', 5_000)).toBe('person');
  links.clicked(5_000);
  expect(links.leaving('PUSH', 5_010)).toBe('person');
  expect(links.leaving('REPLACE', 9_000)).toBe('program');
});

test('words are work in every form but one that keeps nothing, and choices only where a form stages them', () => {
  const words = (selector: string) => selector.endsWith('textarea');
  const choice = (selector: string) => selector.endsWith('select');
  expect([undefined, 'choices', 'nothing'].map((keeps) => isWork(keeps, words))).toEqual([true, true, false]);
  expect([undefined, 'choices', 'nothing'].map((keeps) => isWork(keeps, choice))).toEqual([
    false,
    true,
    false,
  ]);
});
