import { expect, it } from 'vitest';
import { createSeats } from './seats.ts';

it('gives each person a limited number of seats, and gives a left seat again', () => {
  const seats = createSeats(2);
  const first = seats.take('ada');
  expect(seats.take('ada')).not.toBeNull();
  expect(seats.take('ada')).toBeNull();
  expect(seats.take('eve')).not.toBeNull();
  first?.();
  first?.();
  expect(seats.take('ada')).not.toBeNull();
  expect(seats.take('ada')).toBeNull();
});
