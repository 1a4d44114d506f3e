import { expect, it } from 'vitest';
import { actOfKey, type Brush, noBrush, selectionOf } from './brush.ts';

const times = [10, 20, 30, 40];
const press = (key: string, brush: Brush, shiftKey = false) => actOfKey({ key, shiftKey }, brush, times);

it('arrows go from point to point and stop at both ends', () => {
  expect(press('ArrowLeft', noBrush)).toEqual({ kind: 'move', brush: { at: 30, anchor: null } });
  expect(press('ArrowRight', { at: 40, anchor: null })).toEqual({
    kind: 'move',
    brush: { at: 40, anchor: null },
  });
  expect(press('Home', { at: 40, anchor: null })).toEqual({ kind: 'move', brush: { at: 10, anchor: null } });
});

it('Shift with an arrow selects from where the crosshair was, and an arrow alone drops the selection', () => {
  const one = press('ArrowLeft', { at: 30, anchor: null }, true);
  expect(one).toEqual({ kind: 'move', brush: { at: 20, anchor: 30 } });
  expect(press('ArrowLeft', { at: 20, anchor: 30 }, true)).toEqual({
    kind: 'move',
    brush: { at: 10, anchor: 30 },
  });
  expect(press('ArrowLeft', { at: 20, anchor: 30 })).toEqual({
    kind: 'move',
    brush: { at: 10, anchor: null },
  });
});

it('Enter shows the selection, whichever way it was made', () => {
  expect(press('Enter', { at: 10, anchor: 30 })).toEqual({ kind: 'zoom', from: 10, to: 30 });
  expect(press('Enter', { at: 30, anchor: 10 })).toEqual({ kind: 'zoom', from: 10, to: 30 });
  expect(press('Enter', { at: 30, anchor: null })).toBeNull();
});

it('Escape drops crosshair and selection, and then goes back', () => {
  expect(press('Escape', { at: 10, anchor: 30 })).toEqual({ kind: 'move', brush: noBrush });
  expect(press('Escape', noBrush)).toEqual({ kind: 'back' });
});

it('leaves other keys alone, and does nothing without points', () => {
  expect(press('x', noBrush)).toBeNull();
  expect(actOfKey({ key: 'ArrowLeft', shiftKey: false }, noBrush, [])).toBeNull();
});

it('two equal moments are no selection', () => {
  expect(selectionOf({ at: 10, anchor: 10 })).toBeNull();
});
