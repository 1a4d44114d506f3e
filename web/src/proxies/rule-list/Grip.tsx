import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { Icon } from '../../ui/picture/Icon.tsx';
import { type Lift, placeAt } from './reorder.ts';
import styles from './rules.module.css';

export interface GripProps {
  rule: string;
  /** From 0, as shown. */
  place: number;
  count: number;
  lift: Lift | null;
  list: RefObject<HTMLOListElement | null>;
  onLift: (lift: Lift | null) => void;
  onMove: (to: number) => void;
}

/** Moves its rule by dragging, or by keys: Space lifts and drops, the arrows move, Escape puts back. */
export function Grip({ rule, place, count, lift, list, onLift, onMove }: GripProps) {
  const held = lift?.id === rule ? lift : null;
  /** The middles of the other rows, as they were when the drag began. */
  const middles = useRef<readonly number[]>([]);

  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-rule]') ?? [])];
    middles.current = rows
      .filter((row) => row.dataset.rule !== rule)
      .map((row) => row.getBoundingClientRect())
      .map(({ top, height }) => top + window.scrollY + height / 2);
    onLift({ id: rule, to: place, by: 'pointer' });
  };
  const onPointerMove = (event: PointerEvent) => {
    if (held?.by !== 'pointer') return;
    const to = placeAt(event.clientY + window.scrollY, middles.current);
    if (to !== held.to) onLift({ ...held, to });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey) return;
    if (event.key === ' ') {
      event.preventDefault();
      if (held) onMove(held.to);
      else onLift({ id: rule, to: place, by: 'keys' });
    } else if (held && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      const to = held.to + (event.key === 'ArrowUp' ? -1 : 1);
      if (to >= 0 && to < count) onLift({ ...held, to });
    } else if (held && event.key === 'Escape') {
      event.stopPropagation();
      onLift(null);
    }
  };
  return (
    <button
      type="button"
      className={styles.grip}
      aria-label={`Drag rule ${place + 1}, or press space and use the arrow keys`}
      aria-pressed={held !== null}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => held?.by === 'pointer' && onMove(held.to)}
      onPointerCancel={() => onLift(null)}
      onKeyDown={onKeyDown}
      onBlur={(event) => held?.by === 'keys' && event.relatedTarget !== null && onLift(null)}
    >
      <Icon name="grip" size={18} />
    </button>
  );
}
