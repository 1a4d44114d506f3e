import { useId } from 'react';
import { Button } from '../button/Button.tsx';
import { classNames } from '../class-names.ts';
import bannerStyles from '../feedback/banner.module.css';
import layout from '../layout/layout.module.css';
import tableFrameStyles from '../table/table-frame.module.css';
import typography from '../text/typography.module.css';
import styles from './Conflict.module.css';

export interface ConflictProps {
  /** The differing values, in words. */
  rows: readonly { label: string; mine: string; theirs: string }[];
  /** True while the page sends the user's version again. */
  busy?: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/**
 * An edit of a version that has changed meanwhile. Shows both versions side by side and the two ways to
 * continue.
 */
export function Conflict({ rows, busy = false, onKeepMine, onTakeTheirs }: ConflictProps) {
  const titleId = useId();
  return (
    <section
      className={classNames(bannerStyles.banner, bannerStyles.warning, styles.conflict)}
      aria-labelledby={titleId}
      role="alert"
    >
      <div className={classNames(layout.grow, layout.stack, layout.gap3)}>
        <p className={typography.strong} id={titleId}>
          This was changed elsewhere
        </p>
        <table className={tableFrameStyles.compact}>
          <thead>
            <tr>
              <th scope="col">
                <span className={layout.visuallyHidden}>Field</span>
              </th>
              <th scope="col">Mine</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, mine, theirs }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{mine}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={layout.row}>
          <Button size="sm" busy={busy} busyLabel="Saving" onClick={onKeepMine}>
            Keep mine
          </Button>
          <Button size="sm" disabled={busy} onClick={onTakeTheirs}>
            Take theirs
          </Button>
        </div>
      </div>
    </section>
  );
}
