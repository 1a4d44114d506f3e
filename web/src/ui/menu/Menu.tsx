import { type ComponentType, cloneElement, type KeyboardEvent, useState } from 'react';
import type { MenuProps } from './menu-props.ts';

const load = () => import('./OpenedMenu.tsx');

/**
 * The menu button pattern: arrows, Home, End and type-ahead. A list has many menus, so a menu is only its
 * button until it first opens. Its contents load when the pointer or the focus reaches the button.
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
