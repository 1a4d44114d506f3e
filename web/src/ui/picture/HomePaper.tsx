import { useId } from 'react';
import paper from './chart-paper.svg?url';
import { Glow } from './Glow.tsx';
import styles from './paper.module.css';

/** The harbour mouth on Home. It fades to the left. It is decoration, so screen readers skip it. */
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
