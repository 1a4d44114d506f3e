import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Entries } from './Entries.tsx';
import { type EntryPath, entries } from './entries.ts';
import { FrameLayout } from './FrameLayout.tsx';
import { Header } from './Header.tsx';

/** The frame as the build draws it, before it is known who looks: what it says is so for everybody. */
export function DrawnFrame({ path }: { path: EntryPath | null }) {
  return (
    <FrameLayout
      inert
      navigation={<Entries current={entries.find((entry) => entry.path === path)} />}
      header={
        <Header>
          <IconButton className="only-phone" size="md" iconSize={20} icon="search" label="Search" />
          <span className="usermenu">
            <span className="avatar" />
            <Icon name="down" size={14} className="hide-phone" />
          </span>
        </Header>
      }
    />
  );
}
