import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import layout from '../../../ui/layout/layout.module.css';
import panelStyles from '../../../ui/layout/panel.module.css';
import typography from '../../../ui/text/typography.module.css';
import styles from './SaveBar.module.css';
import type { Staged } from './staged-changes.ts';

export interface SaveBarProps {
  pending: Staged;
  /** The keys that saving removes. */
  removed: readonly string[];
  /** The app runs, so a restart has an effect. */
  running: boolean;
  /** The running image keeps the variables of its deploy inside, so that a restart alone may not bring new ones. */
  keptInImage: boolean;
  /** The user must first settle variables that were changed elsewhere. */
  blocked: boolean;
  busy: boolean;
  busyLabel: string;
  onSave: (restart: boolean) => void;
  onDiscard: () => void;
}

/** Stands below the variables. Shows the unsaved changes and the two ways to save them. */
export function SaveBar({
  pending,
  removed,
  running,
  keptInImage,
  blocked,
  busy,
  busyLabel,
  onSave,
  onDiscard,
}: SaveBarProps) {
  if (pending.size === 0) return null;
  const label = { busy, busyLabel, disabled: blocked };
  return (
    <div className={classNames(panelStyles.foot, styles.bar)}>
      <p className={layout.grow} role="status">
        <b className={typography.strong}>
          {pending.size === 1 ? '1 change' : `${pending.size} changes`} not saved.
        </b>{' '}
        {removed.length > 0 && (
          <>
            Saving removes <span className={typography.monospace}>{removed.join(', ')}</span>.
          </>
        )}
        {running && keptInImage && (
          <>
            {' '}
            Buildpacks made this app’s image, which may keep its present values through a restart. New ones
            arrive with the next deploy or Rebuild.
          </>
        )}
      </p>
      <Button variant="ghost" disabled={busy} onClick={onDiscard}>
        Discard
      </Button>
      {running ? (
        <>
          <Button disabled={busy || blocked} onClick={() => onSave(false)}>
            Save, no restart
          </Button>
          <Button variant="primary" {...label} onClick={() => onSave(true)}>
            Save and restart once
          </Button>
        </>
      ) : (
        <Button variant="primary" {...label} onClick={() => onSave(false)}>
          Save variables
        </Button>
      )}
    </div>
  );
}
