import { Button, IconButton } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import dialogStyles from '../ui/dialog/dialog.module.css';
import { EmptySpot } from '../ui/picture/EmptySpot.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './WelcomeDialog.module.css';

/**
 * Opens once, while the account has no key, because nothing works without a key. A new user reads this dialog
 * first, so it must appear early. Therefore the build draws it, and welcome.ts opens it without React. The
 * browser's own dialog provides focus, Escape, the buttons and the backdrop.
 */
export function WelcomeDialog() {
  return (
    <dialog className={classNames(dialogStyles.scrim, styles.layer)} aria-labelledby="welcome-title">
      <form method="dialog" className={classNames(dialogStyles.dialog, dialogStyles.slim, styles.welcome)}>
        <div className={classNames(dialogStyles.head, styles.head)}>
          <IconButton type="submit" label="Close" icon="x" />
        </div>
        <div className={classNames(dialogStyles.body, styles.body)}>
          <EmptySpot atOnce />
          <h2 className={typography.heading} id="welcome-title">
            Add your first keypair
          </h2>
          <p className={classNames(typography.small, styles.lead)}>
            Homeport reaches your servers over SSH, so it needs a keypair first. Use one you have, or make a
            new one: the next page shows how on Mac, Windows and Linux.
          </p>
          <Button type="submit" value="add" variant="primary" size="lg" icon="key" block>
            Add a keypair
          </Button>
          <Button type="submit" variant="ghost" block>
            Look around first
          </Button>
        </div>
      </form>
    </dialog>
  );
}
