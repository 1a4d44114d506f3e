import { type ComponentType, cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react';
import type { IconName } from './Icon.tsx';

const load = () => import('./OpenedMenu.tsx');

export type MenuItem =
  | {
      kind?: 'item';
      label: string;
      icon?: IconName;
      danger?: boolean;
      /** Why it cannot be chosen now. */
      disabledReason?: string | null;
      onSelect: () => void;
    }
  | { kind: 'separator' };

interface TriggerProps {
  'aria-haspopup'?: 'menu' | undefined;
  'aria-expanded'?: boolean | undefined;
  onClick?: (() => void) | undefined;
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  onPointerEnter?: (() => unknown) | undefined;
  onFocus?: (() => unknown) | undefined;
}

export interface MenuProps {
  /** A real button: `<IconButton label="More for lantern" icon="more" />`. */
  trigger: ReactElement<TriggerProps>;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
}

/**
 * Menu button pattern: arrows, Home, End and type-ahead. Until it is first opened it is its button alone: a list has many,
 * and what opens is loaded when a person comes near.
 */
export function Menu(props: MenuProps) {
  const [Opened, setOpened] = useState<ComponentType<MenuProps> | null>(null);
  if (Opened) return <Opened {...props} />;
  const open = () => void load().then(({ OpenedMenu }) => setOpened(() => OpenedMenu));
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  });
}
