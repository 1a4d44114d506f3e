import { Button } from '../../../ui/button/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import problemStyles from './problem.module.css';

export interface ChangedElsewhereProps {
  /** Edited here, and meanwhile elsewhere. */
  keys: readonly string[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Above the save bar: values are secrets, so both are left to the list, which shows them when asked. */
export function ChangedElsewhere({ keys, onKeepMine, onTakeTheirs }: ChangedElsewhereProps) {
  return (
    <div className={problemStyles.problem}>
      <Banner
        tone="warn"
        action={
          <span className={layout.row}>
            <Button size="sm" onClick={onKeepMine}>
              Keep mine
            </Button>
            <Button size="sm" onClick={onTakeTheirs}>
              Take theirs
            </Button>
          </span>
        }
      >
        <p>
          <span className={typography.monospace}>{keys.join(', ')}</span> {keys.length === 1 ? 'was' : 'were'}{' '}
          changed elsewhere since you began.
        </p>
      </Banner>
    </div>
  );
}
