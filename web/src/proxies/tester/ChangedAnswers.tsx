import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import styles from './tester.module.css';

export interface ChangedAnswersProps {
  /** A sentence for each saved URL that would be answered otherwise. */
  answers: readonly string[];
  busy: boolean;
  onSave: () => void;
}

/** A change was not kept because of saved URLs. Offers to keep it with their new answers. */
export function ChangedAnswers({ answers, busy, onSave }: ChangedAnswersProps) {
  if (answers.length === 0) return null;
  return (
    <div className={layout.below}>
      <Banner tone="warn">
        <div className={classNames(layout.stack, layout.gap2)}>
          <p className={typography.strong}>
            Nothing was changed, because saved URLs would be answered otherwise
          </p>
          <ul className={classNames(typography.small, styles.answers)}>
            {answers.map((answer) => (
              <li key={answer}>{answer}</li>
            ))}
          </ul>
          <div>
            <Button size="sm" busy={busy} busyLabel="Saving" onClick={onSave}>
              Save with the new answers
            </Button>
          </div>
        </div>
      </Banner>
    </div>
  );
}
