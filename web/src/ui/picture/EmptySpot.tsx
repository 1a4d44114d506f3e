import { useId } from 'react';
import { usePainted } from '../use-painted.ts';
import paper from './chart-paper.svg?url';

/**
 * An islet with an unlit light, for empty pages. By default the drawing comes after the first paint, so that
 * the text beside it need not wait. `atOnce` draws it with the text.
 */
export function EmptySpot({ atOnce = false }: { atOnce?: boolean }) {
  const id = useId();
  const painted = usePainted() || atOnce;
  return (
    <svg viewBox="0 0 224 140" width="224" height="140" aria-hidden="true">
      <defs>
        <linearGradient id={`${id}-fade`} x1="0" x2="1">
          <stop offset="0" stopColor="#fff" stopOpacity="0" />
          <stop offset=".28" stopColor="#fff" />
          <stop offset=".72" stopColor="#fff" />
          <stop offset="1" stopColor="#fff" stopOpacity="0" />
        </linearGradient>
        <mask id={`${id}-mask`}>
          <rect width="224" height="140" fill={`url(#${id}-fade)`} />
        </mask>
      </defs>
      <g mask={`url(#${id}-mask)`}>{painted && <use href={`${paper}#spot`} />}</g>
      <circle
        cx="112"
        cy="69.5"
        r="5.5"
        fill="var(--surface)"
        stroke="var(--paper-ink)"
        strokeWidth="1.5"
        strokeDasharray="2.4 2"
      />
    </svg>
  );
}
