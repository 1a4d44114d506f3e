import { ActiveOperations } from '../operations/ActiveOperations.tsx';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Kbd } from '../ui/Status.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { DataAge } from './DataAge.tsx';
import { Brand } from './Sidebar.tsx';
import { ThemeButton } from './ThemeButton.tsx';

export interface HeaderProps {
  onSearch: () => void;
  onMenu: () => void;
}

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

export function Header({ onSearch, onMenu }: HeaderProps) {
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
      <div className="row g3 end">
        <ActiveOperations />
        <DataAge />
        <ThemeButton className="hide-phone" />
        <IconButton
          className="only-phone"
          size="md"
          iconSize={20}
          icon="search"
          label="Search"
          onClick={onSearch}
        />
        <AccountMenu />
      </div>
    </header>
  );
}
