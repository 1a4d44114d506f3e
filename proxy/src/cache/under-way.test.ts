import { expect, it } from 'vitest';
import { UnderWay } from './under-way.ts';

it('lets one account alone have half of the room, and leaves the rest to others', () => {
  const room = new UnderWay(100);
  expect([room.take('eve', 30), room.take('eve', 20), room.take('eve', 1)]).toEqual([true, true, false]);
  expect([room.take('ada', 25), room.take('ada', 1)]).toEqual([true, false]);
});

it('has the room again that was given back, and never more than that', () => {
  const room = new UnderWay(100);
  room.take('eve', 50);
  room.give('eve', 50);
  expect([room.take('eve', 50), room.take('eve', 1)]).toEqual([true, false]);
});
