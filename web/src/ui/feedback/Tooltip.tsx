import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { layers } from '../layers.ts';
import floatingStyles from '../menu/floating.module.css';
import styles from './Tooltip.module.css';

export interface TooltipProps {
  text: string;
  /** The control it explains; it has a name of its own already. */
  children: ReactElement;
}

/** On focus and hover, hoverable, hidden by Escape; never the only name. */
export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal container={layers()}>
        <Base.Positioner className={floatingStyles.floating} sideOffset={6}>
          <Base.Popup className={styles.tooltip}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
