import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { layers } from './layers.ts';

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
        <Base.Positioner className="floating" sideOffset={6}>
          <Base.Popup className="tip">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
