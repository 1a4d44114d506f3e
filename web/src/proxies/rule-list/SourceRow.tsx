import type { RuleVerdict } from '@homeport/rules';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import { Flow } from './Flow.tsx';
import styles from './rules.module.css';

export interface SourceRowProps {
  source: string;
  verdict: RuleVerdict | null;
  /** There are no rules before it. */
  only: boolean;
}

/** The primary website, which takes what no rule takes. */
export function SourceRow({ source, verdict, only }: SourceRowProps) {
  const takes = verdict?.verdict === 'takes';
  return (
    <li className={classNames(styles.rule, styles.rest, takes && styles.takes, only && styles.only)}>
      <span />
      <span className={styles.number} aria-hidden="true">
        <Icon name="flag" size={14} />
      </span>
      <div className={styles.text}>
        <Flow from={<span className={typography.muted}>Everything else</span>} to={source} />
      </div>
      {takes ? (
        <span className={styles.hit}>takes this URL</span>
      ) : (
        <span className={styles.verdict}>primary website</span>
      )}
    </li>
  );
}
