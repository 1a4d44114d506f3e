import { programCallLimits } from '@homeport/contract/program-calls/facts';
import type { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import layout from '../../ui/layout/layout.module.css';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { tokenKindTexts } from './area-texts.ts';
import styles from './FormerPrograms.module.css';
import type { ShownProgram } from './ProgramHistory.tsx';

interface FormerProgramsProps {
  former: ReturnType<typeof useApi<'GET /api/tokens/former'>>;
  onHistory: (program: ShownProgram) => void;
}

/** Tokens that are gone, as long as something is known of what they did. Nothing without one. */
export function FormerPrograms({ former, onHistory }: FormerProgramsProps) {
  if (former.data === undefined)
    return <NotLoaded query={former} title="The revoked tokens could not be loaded" rows={1} />;
  const count = former.data.length;
  if (count === 0) return null;
  return (
    <details className={styles.former}>
      <summary>
        {count === 1 ? '1 token is gone: what it did' : `${count} tokens are gone: what they did`} stays for{' '}
        {programCallLimits.days} days
      </summary>
      <ul
        className={classNames(settingsListStyles.settings, settingsListStyles.dense)}
        aria-label="Tokens that are gone"
      >
        {former.data.map((program) => (
          <li key={program.id}>
            <span className={typography.twoLines}>
              <span className={typography.strong}>
                {program.name} <span className={typography.monospace}>…{program.lastFour}</span>
              </span>
              <small>
                {tokenKindTexts[program.kind]}. Last call <Time at={program.lastCallAt} />
              </small>
            </span>
            <Button size="sm" variant="ghost" onClick={() => onHistory(program)}>
              What it did<span className={layout.visuallyHidden}> with the token {program.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
