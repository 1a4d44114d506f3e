import { Dialog as Base } from '@base-ui/react/dialog';
import { IconButton } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import dialogStyles from '../../ui/dialog/dialog.module.css';
import { layers } from '../../ui/layers.ts';
import layout from '../../ui/layout/layout.module.css';
import { Brand } from './Brand.tsx';
import styles from './NavDrawer.module.css';
import { Navigation } from './Navigation.tsx';

/** The sidebar on a phone. */
export function NavDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal container={layers()}>
        <Base.Backdrop className={classNames(dialogStyles.scrim, dialogStyles.backdrop)} />
        <Base.Popup className={styles.drawer} aria-label="Menu">
          <div className={classNames(layout.row, layout.spaceBetween)}>
            <Brand />
            <IconButton label="Close menu" icon="x" size="md" onClick={onClose} />
          </div>
          <Navigation onNavigate={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
