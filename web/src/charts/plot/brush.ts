import { pointAfterKey } from '../../ui/chart/plot-keys.ts';

/** What a person points at, by mouse or by keys: a moment, and a selection between two moments. */
export interface Brush {
  at: number | null;
  /** Where the selection began. Null without a selection. */
  anchor: number | null;
}

export const noBrush: Brush = { at: null, anchor: null };

export type BrushAct =
  | { kind: 'move'; brush: Brush }
  /** Shows the selection. */
  | { kind: 'zoom'; from: number; to: number }
  /** To what was shown before. */
  | { kind: 'back' };

export const selectionOf = ({ at, anchor }: Brush): { from: number; to: number } | null =>
  at === null || anchor === null || at === anchor
    ? null
    : { from: Math.min(at, anchor), to: Math.max(at, anchor) };

/**
 * What a key does. `times` are the moments with a point, ascending. Arrows go from point to point, with Shift they extend the
 * selection. Null: the key is not the chart's.
 */
export function actOfKey(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  brush: Brush,
  times: readonly number[],
): BrushAct | null {
  const selection = selectionOf(brush);
  if (key === 'Enter') return selection && { kind: 'zoom', ...selection };
  if (key === 'Escape') return brush.at === null ? { kind: 'back' } : { kind: 'move', brush: noBrush };
  const target = targetOf(key, brush.at, times);
  if (target === undefined) return null;
  const anchor = shiftKey ? (brush.anchor ?? brush.at ?? times.at(-1) ?? null) : null;
  return { kind: 'move', brush: { at: target, anchor } };
}

/** A large chart has hundreds of points. */
const pagePoints = 10;

function targetOf(key: string, at: number | null, times: readonly number[]): number | undefined {
  const index = at === null ? -1 : times.findIndex((time) => time >= at);
  return times[pointAfterKey(key, index, times.length - 1, pagePoints) ?? -1];
}
