import type { ReactNode } from 'react';
import styles from './SubmitFoot.module.css';

/** The button that ends a long form, and what it costs. On a phone both stay at the bottom of the screen. */
export function SubmitFoot({ children }: { children: ReactNode }) {
  return <div className={styles.foot}>{children}</div>;
}
