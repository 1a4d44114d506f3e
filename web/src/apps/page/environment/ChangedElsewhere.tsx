import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';

export interface ChangedElsewhereProps {
  /** Edited here, and meanwhile elsewhere. */
  keys: readonly string[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Above the save bar: values are secrets, so both are left to the list, which shows them when asked. */
export function ChangedElsewhere({ keys, onKeepMine, onTakeTheirs }: ChangedElsewhereProps) {
  return (
    <div className="envproblem">
      <Banner
        tone="warn"
        action={
          <span className="row">
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
          <span className="mono">{keys.join(', ')}</span> {keys.length === 1 ? 'was' : 'were'} changed
          elsewhere since you began.
        </p>
      </Banner>
    </div>
  );
}
