import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import typography from '../text/typography.module.css';
import styles from './Setting.module.css';
import settingsListStyles from './settings-list.module.css';

/** The rows of a panel of settings: in two columns where the panel has the whole width. */
export function SettingsList(props: Omit<ComponentProps<'ul'>, 'className'>) {
  return (
    <div className={styles.frame}>
      <ul {...props} className={classNames(settingsListStyles.settings, styles.settings)} />
    </div>
  );
}

export interface SettingProps {
  /** The row's anchor. */
  id?: string;
  title: string;
  note: ReactNode;
  /** A small button. Only one that destroys has an icon. */
  action?: ReactNode;
  /** `danger` marks the row that destroys something. */
  tone?: 'default' | 'danger';
  /** Stands below, over the whole width. */
  children?: ReactNode;
}

/** One row: what it is, and the button that changes it. */
export function Setting({ id, title, note, action, tone = 'default', children }: SettingProps) {
  return (
    <li
      id={id}
      className={tone === 'danger' ? settingsListStyles.danger : undefined}
      data-danger={tone === 'danger' || undefined}
    >
      <span className={typography.twoLines}>
        <span className={typography.strong}>{title}</span>
        <small>{note}</small>
      </span>
      {action}
      {children && <div className={styles.below}>{children}</div>}
    </li>
  );
}
