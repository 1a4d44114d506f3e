import { Menu as Base } from '@base-ui/react/menu';
import { Icon } from './Icon.tsx';
import { layers } from './layers.ts';
import type { MenuProps } from './Menu.tsx';

/** A menu from its first opening on. */
export function OpenedMenu({ trigger, items, align = 'end' }: MenuProps) {
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
