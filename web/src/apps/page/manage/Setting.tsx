import type { ReactNode } from 'react';
import typography from '../../../ui/text/typography.module.css';
import styles from './manage.module.css';

export interface SettingProps {
  title: string;
  note: ReactNode;
  action: ReactNode;
  /** Stands below, over the whole width. */
  children?: ReactNode;
}

/** One row of Manage App: what it is, and the button that changes it. */
export function Setting({ title, note, action, children }: SettingProps) {
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>{title}</span>
        <small>{note}</small>
      </span>
      {action}
      {children && <div className={styles.below}>{children}</div>}
    </li>
  );
}
