import type { ReactNode } from 'react';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Kbd } from '../ui/Status.tsx';
import { Brand } from './Brand.tsx';

export interface HeaderProps {
  onSearch?: () => void;
  onMenu?: () => void;
  /** At the right: what goes on, how old the data are, the account. */
  children?: ReactNode;
}

const apple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

export function Header({ onSearch, onMenu, children }: HeaderProps) {
  return (
    <header className="hd">
      <IconButton
        className="only-phone"
        size="md"
        iconSize={20}
        icon="menu"
        label="Open menu"
        onClick={onMenu}
      />
      <span className="only-phone">
        <Brand />
      </span>
      <search className="find">
        <Icon name="search" size={16} />
        <button
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K /"
          onClick={onSearch}
        >
          Search Apps...
        </button>
        <span className="kbds" aria-hidden="true">
          <Kbd>{apple ? '⌘' : 'Ctrl'}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </search>
      <div className="row g3 end">{children}</div>
    </header>
  );
}
