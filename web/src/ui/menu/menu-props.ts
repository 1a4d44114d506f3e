import type { KeyboardEvent, ReactElement } from 'react';
import type { IconName } from '../picture/Icon.tsx';

export type MenuItem =
  | {
      kind?: 'item';
      label: string;
      icon?: IconName;
      danger?: boolean;
      /** Why the user cannot choose the item now. */
      disabledReason?: string | null;
      onSelect: () => void;
    }
  | { kind: 'switch'; label: string; icon?: IconName; on: boolean; onSelect: () => void }
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
