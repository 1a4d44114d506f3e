import { expect, it } from 'vitest';
import { createSeats } from './seats.ts';

it('gives each person so many places, and a place again that was left', () => {
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
