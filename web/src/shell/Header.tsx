import type { ReactNode } from 'react';
import { IconButton } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Kbd } from '../ui/feedback/Status.tsx';
import searchFieldStyles from '../ui/form/search-field.module.css';
import layout from '../ui/layout/layout.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import styles from './Header.module.css';
import { Brand } from './navigation/Brand.tsx';

export interface HeaderProps {
  onSearch?: () => void;
  onMenu?: () => void;
  /** Stands at the right: active operations, the data's age and the account. */
  children?: ReactNode;
}

const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

export function Header({ onSearch, onMenu, children }: HeaderProps) {
  return (
    <header className={styles.header}>
      <IconButton
        className={layout.phoneOnly}
        size="md"
        iconSize={20}
        icon="menu"
        label="Open menu"
        onClick={onMenu}
      />
      <span className={layout.phoneOnly}>
        <Brand className={styles.brand} />
      </span>
      <search className={classNames(searchFieldStyles.search, styles.search)}>
        <Icon name="search" size={16} />
        <button
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K /"
          onClick={onSearch}
        >
          Search Apps...
        </button>
        <span className={styles.keys} aria-hidden="true">
          <Kbd>{apple ? '⌘' : 'Ctrl'}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </search>
      <div className={classNames(layout.row, layout.gap3, layout.atEnd)}>{children}</div>
    </header>
  );
}
