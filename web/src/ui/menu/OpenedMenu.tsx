import { Menu as Base } from '@base-ui/react/menu';
import { classNames } from '../class-names.ts';
import { layers } from '../layers.ts';
import layout from '../layout/layout.module.css';
import { Icon } from '../picture/Icon.tsx';
import floatingStyles from './floating.module.css';
import type { MenuProps } from './menu-props.ts';
import styles from './OpenedMenu.module.css';

/** A menu after its first opening. */
export function OpenedMenu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal container={layers()}>
        <Base.Positioner className={floatingStyles.floating} align={align} sideOffset={6}>
          <Base.Popup className={styles.menu}>
            {items.map((item, index) =>
              item.kind === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no name
                <Base.Separator key={`separator-${index}`} className={styles.separator} />
              ) : item.kind === 'switch' ? (
                <Base.CheckboxItem
                  key={item.label}
                  className={styles.item}
                  checked={item.on}
                  onCheckedChange={item.onSelect}
                  closeOnClick
                >
                  {item.icon && <Icon name={item.icon} size={16} />}
                  {item.label}
                  {item.on && <Icon name="check" size={16} className={layout.atEnd} />}
                </Base.CheckboxItem>
              ) : (
                <Base.Item
                  key={item.label}
                  className={item.danger ? classNames(styles.item, styles.danger) : styles.item}
                  disabled={Boolean(item.disabledReason)}
                  title={item.disabledReason ?? undefined}
                  onClick={item.onSelect}
                >
                  {item.icon && <Icon name={item.icon} size={16} />}
                  {item.label}
                  {item.disabledReason && (
                    <span className={layout.visuallyHidden}>. {item.disabledReason}</span>
                  )}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
