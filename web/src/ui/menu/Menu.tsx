import { type ComponentType, cloneElement, type KeyboardEvent, useState } from 'react';
import type { MenuProps } from './menu-props.ts';

const load = () => import('./OpenedMenu.tsx');

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
