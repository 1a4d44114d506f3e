import { Button } from '../../../ui/button/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import problemStyles from './problem.module.css';

export interface ChangedElsewhereProps {
  /** Keys edited here that somebody else changed meanwhile. */
  keys: readonly string[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/**
 * Stands above the save bar. Values are secrets, so this notice shows none: the list shows both values on
 * request.
 */
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
