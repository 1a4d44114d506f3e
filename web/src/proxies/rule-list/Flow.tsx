import type { ReactNode } from 'react';
import layout from '../../ui/layout/layout.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import styles from './rules.module.css';

/** A path and the website that it leads to. */
export function Flow({ from, to }: { from: ReactNode; to: string }) {
  return (
    <p className={styles.flow}>
      {from}
      <Icon name="arrowright" size={16} />
      <span className={layout.visuallyHidden}>goes to</span>
      <span className={styles.target}>{to}</span>
    </p>
  );
}
