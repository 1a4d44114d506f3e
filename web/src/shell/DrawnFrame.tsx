import { IconButton } from '../ui/button/Button.tsx';
import layout from '../ui/layout/layout.module.css';
import avatarStyles from '../ui/picture/avatar.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import accountMenuStyles from './account-menu.module.css';
import { FrameLayout } from './FrameLayout.tsx';
import { Header } from './Header.tsx';
import { Entries } from './navigation/Entries.tsx';
import { type EntryPath, entries } from './navigation/entries.ts';

/**
 * The frame as the build draws it. The build does not know the user, so this frame is the same for everybody.
 */
export function DrawnFrame({ path }: { path: EntryPath | null }) {
  return (
    <FrameLayout
      inert
      navigation={<Entries current={entries.find((entry) => entry.path === path)} />}
      header={
        <Header>
          <IconButton className={layout.phoneOnly} size="md" iconSize={20} icon="search" label="Search" />
          <span className={accountMenuStyles.trigger}>
            <span className={avatarStyles.avatar} />
            <Icon name="down" size={14} className={layout.notOnPhone} />
          </span>
        </Header>
      }
    />
  );
}
