import type { PostKind } from '@homeport/contract/status-pages/facts';
import { statusPageRoutes } from '@homeport/contract/status-pages/schema';
import { expect, test } from 'vitest';
import { problemsIn } from '../problems-in.ts';
import {
  emptyPostForm,
  type PostForm,
  type PostFormEvent,
  postForm,
  postOf,
  timeProblem,
} from './post-form.ts';

const after = (...events: PostFormEvent[]) => events.reduce(postForm, emptyPostForm);
const typed = (field: 'title' | 'text' | 'starts' | 'ends', value: string): PostFormEvent => ({
  ...{ type: 'typed', field, value },
});
const problemsOf = (kind: PostKind, form: PostForm) =>
  problemsIn(statusPageRoutes['POST /api/status-pages/:id/posts'].body, postOf(kind, form));
const shop = '0190a000-0000-7000-8000-000000000001';

test('an incident is sent with its state and without times', () => {
  const form = after(typed('title', 'Slow orders'), typed('text', 'We look.'), {
    type: 'state',
    state: 'identified',
  });
  expect(postOf('incident', form)).toEqual({
    ...{ kind: 'incident', title: 'Slow orders', state: 'identified', text: 'We look.' },
  });
  expect(problemsOf('incident', form)).toEqual({});
  expect(problemsOf('incident', emptyPostForm)).toEqual({
    title: 'Enter a title.',
    text: 'Enter what readers should know.',
  });
});

test('a maintenance is sent in UTC, whatever the time zone of the browser', () => {
  const form = after(
    ...[typed('title', 'New disks'), typed('text', 'Short breaks.')],
    ...[typed('starts', '2026-11-27T22:00'), typed('ends', '2026-11-28T01:30')],
    { type: 'affected', target: shop, isAffected: true },
  );
  expect(postOf('maintenance', form)).toMatchObject({
    startsAt: new Date(2026, 10, 27, 22).toISOString(),
    endsAt: new Date(2026, 10, 28, 1, 30).toISOString(),
    affects: [shop],
  });
  expect(problemsOf('maintenance', form)).toEqual({});
  expect(postForm(form, { type: 'affected', target: shop, isAffected: false }).affects).toEqual([]);
});

test('a time that is missing or too far for a date is refused beside its field', () => {
  for (const wrong of ['', '275760-10-01T00:00', 'tomorrow']) {
    expect(timeProblem(wrong)).toBe('Enter a date and a time.');
    const form = after(typed('title', 'A'), typed('text', 'B'), typed('starts', wrong), typed('ends', wrong));
    expect(Object.keys(problemsOf('maintenance', form))).toEqual(['startsAt', 'endsAt']);
  }
  expect(timeProblem('2026-11-27T22:00')).toBeUndefined();
});
