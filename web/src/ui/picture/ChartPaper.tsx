import { useId } from 'react';
import { usePainted } from '../use-painted.ts';
import styles from './ChartPaper.module.css';
import paper from './chart-paper.svg?url';

/* The harbour is decoration, so screen readers skip it. One file holds the lines. Glow and fade stay here,
   because gradients do not resolve inside a drawing from another document. */

function Glow({ id, radius }: { id: string; radius: number }) {
  return (
    <>
      <radialGradient id={id}>
        <stop offset="0" stopColor="var(--lamp)" stopOpacity=".46" />
        <stop offset=".45" stopColor="var(--lamp)" stopOpacity=".17" />
        <stop offset="1" stopColor="var(--lamp)" stopOpacity="0" />
      </radialGradient>
      <circle cx="585" cy="482" r={radius} fill={`url(#${id})`} />
    </>
  );
}

/** The drawing beside the sign-in form. */
export function RoadsPaper() {
  const id = useId();
  return (
    <svg
      className={styles.paper}
      viewBox="0 0 820 900"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <use href={`${paper}#roads-under`} />
      <Glow id={`${id}-glow`} radius={235} />
      <use href={`${paper}#roads-over`} />
    </svg>
  );
}

/** The harbour mouth on Home. It fades to the left. */
export function HomePaper() {
  const id = useId();
  return (
    <svg
      className={styles.paper}
      viewBox="212 398 648 205"
      preserveAspectRatio="xMaxYMid slice"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id={`${id}-fade`} x1="0" x2="1">
          <stop offset="0" stopColor="#fff" stopOpacity="0" />
          <stop offset=".45" stopColor="#fff" />
        </linearGradient>
        <mask id={`${id}-mask`} maskUnits="userSpaceOnUse" x="212" y="398" width="648" height="205">
          <rect x="212" y="398" width="648" height="205" fill={`url(#${id}-fade)`} />
        </mask>
      </defs>
      <g mask={`url(#${id}-mask)`}>
        <use href={`${paper}#home-under`} />
        <Glow id={`${id}-glow`} radius={150} />
        <use href={`${paper}#home-over`} />
      </g>
    </svg>
  );
}

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
