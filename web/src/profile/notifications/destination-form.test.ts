import { expect, test } from 'vitest';
import {
  type DestinationFormEvent,
  destinationForm,
  destinationProblems,
  emptyDestinationForm,
  keepsTarget,
  targetOf,
} from './destination-form.ts';

const after = (...events: DestinationFormEvent[]) => events.reduce(destinationForm, emptyDestinationForm);

test('an empty form says what is missing', () => {
  expect(destinationProblems(emptyDestinationForm)).toEqual({
    name: 'Enter a name.',
    url: 'Enter the address.',
  });
});

test('a typed address becomes the target without the space around it', () => {
  const form = after(
    { type: 'named', name: 'Our chat' },
    { type: 'typed', field: 'url', value: ' https://hooks.example.com/a ' },
  );
  expect(destinationProblems(form)).toEqual({});
  expect(targetOf(form)).toEqual({ kind: 'webhook', url: 'https://hooks.example.com/a' });
  expect([keepsTarget(form), keepsTarget(emptyDestinationForm)]).toEqual([false, true]);
});

test('an address that cannot be one says why, and another kind begins anew', () => {
  const form = after({ type: 'typed', field: 'url', value: 'ftp://hooks.example.com' }, { type: 'sent' });
  expect(destinationProblems(form).url).toMatch(/begins with/);
  expect(destinationForm(form, { type: 'chosen', kind: 'webhook' })).toMatchObject({
    values: {},
    sent: false,
  });
});
