import { describe, expect, it } from 'vitest';
import { moveChoice } from './move-choice.ts';

describe('the choice in the palette', () => {
  it('moves by one, round both ends', () => {
    expect(moveChoice('ArrowDown', 1, 3)).toBe(2);
    expect(moveChoice('ArrowDown', 3, 3)).toBe(0);
    expect(moveChoice('ArrowUp', 2, 3)).toBe(1);
    expect(moveChoice('ArrowUp', 0, 3)).toBe(3);
  });

  it('comes back into a list that became shorter', () => expect(moveChoice('ArrowDown', 9, 3)).toBe(0));

  it('stays at the first place of an empty list', () => {
    expect(moveChoice('ArrowDown', 0, -1)).toBe(0);
    expect(moveChoice('ArrowUp', 0, -1)).toBe(0);
  });

  it('stays where it is with any other key', () => expect(moveChoice('Home', 2, 3)).toBeNull());
});
