import { Dialog as Base } from '@base-ui/react/dialog';
import { IconButton } from '../ui/Button.tsx';
import { layers } from '../ui/layers.ts';
import { Brand } from './Brand.tsx';
import { Navigation } from './Navigation.tsx';

/** The sidebar on phones. */
export function NavDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal container={layers()}>
        <Base.Backdrop className="scrim back" />
        <Base.Popup className="drawer" aria-label="Menu">
          <div className="row between">
            <Brand />
            <IconButton label="Close menu" icon="x" size="md" onClick={onClose} />
          </div>
          <Navigation onNavigate={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
