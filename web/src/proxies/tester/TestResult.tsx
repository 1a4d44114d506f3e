import type { PathStep, UrlExplanation } from '@homeport/rules';
import { classNames } from '../../ui/class-names.ts';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import type { Explained } from './explain.ts';
import styles from './tester.module.css';

export interface TestResultProps {
  explained: Explained | null;
  /** The place of a rule in the list, from 0; below 0: the primary website. */
  placeOf: (rule: string) => number;
}

/** What a browser's request becomes. Spoken politely, because it changes while the person types. */
export function TestResult({ explained, placeOf }: TestResultProps) {
  return (
    <div className={styles.result} role="status" aria-label="Result of the test">
      {explained?.kind === 'wrong-rules' && (
        <ul className={classNames(styles.answers, typography.small)}>
          {explained.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      {explained?.kind === 'explained' && <Explanation {...explained} placeOf={placeOf} />}
    </div>
  );
}

const refusals = {
  not_handled: 'This domain is not handled by this proxy',
  bad_url: 'The proxy service answers this URL with 400: no website gets it.',
} as const;

const stepNames: Record<PathStep['kind'], string> = {
  normalise: 'Normal form:',
  strip: 'Path of the rule taken away:',
  rewrite: 'Rewritten:',
  prefix: 'Put before:',
};

interface ExplanationProps {
  explanation: UrlExplanation;
  warnings: readonly string[];
  placeOf: (rule: string) => number;
}

function Explanation({ explanation, warnings, placeOf }: ExplanationProps) {
  if (explanation.kind === 'refused')
    return (
      <p className={styles.refusal}>
        <Icon name="warning" size={16} />
        {refusals[explanation.error]}
      </p>
    );
  const { rule, url, headers, steps, redirect, cacheKey } = explanation;
  const place = placeOf(rule);
  return (
    <>
      <span className={styles.hit}>{place < 0 ? 'Everything else' : `Rule ${place + 1}`}</span>
      <dl className={classNames(definitionsStyles.list, styles.facts)}>
        {redirect !== null && <Line name="Browser is sent to" value={redirect} />}
        <Line name="Target gets" value={`GET ${url}`} />
        {headers.map(([name, value]) => (
          <Line key={name} name={name === 'Host' ? 'Sees host' : name} value={value} />
        ))}
        {steps.map(({ kind, path }, index) => (
          <Line key={kind} name={index === 0 ? 'Steps' : ''} lead={stepNames[kind]} value={path} />
        ))}
        <Line name="Cache key" value={cacheKey} />
        {warnings.map((warning) => (
          <Line key={warning} name="Note" lead={warning} />
        ))}
      </dl>
    </>
  );
}

function Line({ name, lead, value }: { name: string; lead?: string; value?: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {lead} {value !== undefined && <span className={typography.monospace}>{value}</span>}
      </dd>
    </>
  );
}
