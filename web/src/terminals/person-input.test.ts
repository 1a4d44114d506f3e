import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchPerson } from './person-input.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(['keydown', 'keypress', 'input', 'compositionend', 'paste'])('%s is a person’s act', (name) => {
  const place = new EventTarget();
  const person = watchPerson(place);
  expect(person.isActing()).toBe(false);
  place.dispatchEvent(new Event(name));
  expect(person.isActing()).toBe(true);
  vi.runAllTimers();
  expect(person.isActing()).toBe(false);
});

test.each(['focus', 'mousemove', 'mousedown', 'wheel', 'keyup'])('%s is none', (name) => {
  const place = new EventTarget();
  const person = watchPerson(place);
  place.dispatchEvent(new Event(name));
  expect(person.isActing()).toBe(false);
});

test('the text of an input method, which the screen passes on in the next task, is the person’s', () => {
  const place = new EventTarget();
  const person = watchPerson(place);
  const seen: boolean[] = [];
  place.addEventListener('compositionend', () => setTimeout(() => seen.push(person.isActing())));
  place.dispatchEvent(new Event('compositionend'));
  vi.runAllTimers();
  expect(seen).toEqual([true]);
});

test('a second act within the first one lasts as long as a first', () => {
  const place = new EventTarget();
  const person = watchPerson(place);
  place.dispatchEvent(new Event('keydown'));
  vi.advanceTimersToNextTimer();
  place.dispatchEvent(new Event('keydown'));
  vi.advanceTimersToNextTimer();
  expect(person.isActing()).toBe(true);
  vi.runAllTimers();
  expect(person.isActing()).toBe(false);
});

test('a press beside the screen is an act, and after the stop the place is not heard', () => {
  const place = new EventTarget();
  const person = watchPerson(place);
  let seen = false;
  person.act(() => {
    seen = person.isActing();
  });
  expect(seen).toBe(true);
  vi.runAllTimers();
  person.stop();
  place.dispatchEvent(new Event('paste'));
  expect(person.isActing()).toBe(false);
});
