import { countsText } from '@homeport/contract/databases/restore-test-text';
import type { RestoreTest } from '@homeport/contract/databases/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { classNames } from '../../../ui/class-names.ts';
import { Failed } from '../../../ui/feedback/States.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { formatDateTime } from '../../../ui/text/format.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import styles from './backups.module.css';
import { failedTestText, lastTests } from './dump-texts.ts';

interface ProvenRestoreProps {
  type: DatabaseTypeName;
  /** Newest first. */
  tests: readonly RestoreTest[];
}

/** When a dump of the database came back last, and what was wrong since. */
export function ProvenRestore({ type, tests }: ProvenRestoreProps) {
  const { proven, failed } = lastTests(tests);
  return (
    <div className={classNames(layout.stack, layout.gap2, styles.proven)}>
      <p className={typography.small}>
        {proven?.found ? (
          <>
            Last proven restore: <Time at={proven.testedAt} as="datetime" />, {countsText(type, proven.found)}
            {proven.outcome === 'restored' && ' (nothing to compare)'}
          </>
        ) : (
          'No restore was proven yet. Test a dump to know that it comes back.'
        )}
      </p>
      {failed && (
        <Failed title={`The dump of ${formatDateTime(failed.dumpMadeAt)} did not pass its test`}>
          {failedTestText(type, failed)}
        </Failed>
      )}
    </div>
  );
}
