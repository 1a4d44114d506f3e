import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dismissToast, shownOf, toast, toastStore } from './toasts.ts';

const shown = () => shownOf(toastStore.all()).map(({ text }) => text);

const empty = () => {
  for (const { id } of toastStore.all()) dismissToast(id);
};

// Other test files run in this process too, and their messages wait in the same list.
beforeEach(empty);
afterEach(empty);

describe('the messages that are visible at once', () => {
  it('are the oldest three', () => {
    for (const text of ['one', 'two', 'three', 'four']) toast.ok(text);
    expect(shown()).toEqual(['one', 'two', 'three']);
  });

  it('hold an error at once, however many messages wait', () => {
    for (const text of ['one', 'two', 'three', 'four']) toast.ok(text);
    const failed = toast.bad('failed');
    expect(shown()).toEqual(['one', 'two', 'failed']);
    dismissToast(failed);
    expect(shown()).toEqual(['one', 'two', 'three']);
  });

  it('hold the question whose answer is the next press', () => {
    for (const text of ['one', 'two', 'three']) toast.ok(text);
    toast.info('again?', { atOnce: true });
    expect(shown()).toEqual(['one', 'two', 'again?']);
  });

  it('hold the newest of many errors: it answers what the person did last', () => {
    toast.ok('one');
    for (const text of ['first', 'second', 'third', 'last']) toast.bad(text);
    expect(shown()).toEqual(['second', 'third', 'last']);
  });
});
