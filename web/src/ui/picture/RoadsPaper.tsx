import { useId } from 'react';
import paper from './chart-paper.svg?url';
import { Glow } from './Glow.tsx';
import styles from './paper.module.css';

/** The drawing beside the sign-in form. It is decoration, so screen readers skip it. */
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
