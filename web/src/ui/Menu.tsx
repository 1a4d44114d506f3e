import { Menu as Base } from '@base-ui/react/menu';
import { cloneElement, type KeyboardEvent, type ReactElement, useState } from 'react';
import { layers } from './Dialog.tsx';
import { Icon, type IconName } from './Icon.tsx';

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
}

export interface MenuProps {
  /** A real button: `<IconButton label="More for lantern" icon="more" />`. */
  trigger: ReactElement<TriggerProps>;
  items: readonly MenuItem[];
  align?: 'start' | 'end';
}

/** Menu button pattern: arrows, Home, End and type-ahead. Until it is first opened it is its button alone: a list has many. */
export function Menu(props: MenuProps) {
  const [opened, setOpened] = useState(false);
  if (opened) return <OpenedMenu {...props} />;
  const open = () => setOpened(true);
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  });
}

function OpenedMenu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal container={layers()}>
        <Base.Positioner className="floating" align={align} sideOffset={6}>
          <Base.Popup className="menu">
            {items.map((item, index) =>
              item.kind === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no name
                <Base.Separator key={`separator-${index}`} className="sep" />
              ) : (
                <Base.Item
                  key={item.label}
                  className={item.danger ? 'item bad' : 'item'}
                  disabled={Boolean(item.disabledReason)}
                  title={item.disabledReason ?? undefined}
                  onClick={item.onSelect}
                >
                  {item.icon && <Icon name={item.icon} size={16} />}
                  {item.label}
                  {item.disabledReason && <span className="sr">. {item.disabledReason}</span>}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
