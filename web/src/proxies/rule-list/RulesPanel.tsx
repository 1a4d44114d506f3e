import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button/Button.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import { definitionOf } from '../proxy-data.ts';
import type { ProxyDialog } from '../proxy-dialog.ts';
import { DryRun } from '../tester/DryRun.tsx';
import { SavedUrls, SaveUrl } from '../tester/SavedUrls.tsx';
import { TestResult } from '../tester/TestResult.tsx';
import { UrlField } from '../tester/UrlField.tsx';
import { useExplained } from '../tester/use-explained.ts';
import { RuleRow } from './RuleRow.tsx';
import { type Lift, moved, movedText } from './reorder.ts';
import styles from './rules.module.css';
import { SourceRow } from './SourceRow.tsx';
import { useRuleActs } from './use-rule-acts.ts';

export interface RulesPanelProps {
  proxy: ProxyRecord;
  /** The URL in the tester. */
  url: string;
  onUrl: (url: string) => void;
  /** Loads the dialogs before one opens. */
  onPrepare: () => unknown;
  onOpen: (dialog: ProxyDialog) => void;
}

/** The rules in the order in which a request is compared with them, and the test of a URL. */
export function RulesPanel({ proxy, url, onUrl, onPrepare, onOpen }: RulesPanelProps) {
  const acts = useRuleActs(proxy);
  const [lift, setLift] = useState<Lift | null>(null);
  const [told, setTold] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const shown = lift?.by === 'keys' ? moved(acts.rules, lift.id, lift.to) : acts.rules;
  const explained = useExplained(definitionOf({ ...proxy, rules: [...shown] }), url);
  const explanation = explained?.kind === 'explained' ? explained.explanation : null;
  const verdicts = explanation?.kind === 'taken' ? explanation.verdicts : [];
  const verdictOf = (id: string) => verdicts.find(({ rule }) => rule === id) ?? null;
  const placeOf = (id: string) => acts.rules.findIndex((rule) => rule.id === id);

  const moveTo = (id: string, to: number) => {
    const from = placeOf(id);
    const place = Math.min(Math.max(to, 0), acts.rules.length - 1);
    setLift(null);
    if (from === place) return;
    setTold(movedText(from, place, acts.rules.length));
    acts.moveTo(id, place);
  };
  const lifted = (next: Lift | null) => {
    setLift(next);
    if (next?.by === 'keys') setTold(movedText(placeOf(next.id), next.to, acts.rules.length));
  };

  return (
    <Panel
      title="Proxy Rules"
      id="proxy-rules"
      body="flush"
      line={false}
      aside={<span className={typography.small}>The first rule that fits takes the request</span>}
      actions={
        <Button
          size="sm"
          icon="plus"
          onPointerEnter={() => onPrepare()}
          onFocus={() => onPrepare()}
          onClick={() => onOpen({ kind: 'add-rule' })}
        >
          Add rule
        </Button>
      }
      footer={<p>Every change reloads the proxy service. Running requests finish on the old rules.</p>}
    >
      <div className={styles.tester}>
        <UrlField url={url} domain={proxy.domain} onUrl={onUrl} />
        <TestResult explained={explained} placeOf={placeOf} />
        <DryRun proxy={proxy} url={url.trim()} isTaken={explanation?.kind === 'taken'}>
          <SaveUrl proxy={proxy} url={url} />
        </DryRun>
        <SavedUrls proxy={proxy} onTry={onUrl} />
      </div>
      {proxy.warnings
        .filter(({ rule }) => rule === null || placeOf(rule) < 0)
        .map(({ rule, text }) => (
          <p className={styles.note} key={text}>
            <Icon name="warning" size={16} />
            {rule === null ? text : `Everything else: ${text}`}
          </p>
        ))}
      <p className={layout.visuallyHidden} role="status">
        {told}
      </p>
      <ol ref={list} className={styles.rules} aria-label="Rules" aria-busy={acts.busy || undefined}>
        {shown.map((rule, place) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            place={place}
            count={shown.length}
            verdict={verdictOf(rule.id)}
            warnings={proxy.warnings.filter((each) => each.rule === rule.id).map(({ text }) => text)}
            lift={lift}
            busy={acts.busy}
            list={list}
            onLift={lifted}
            onMove={(to) => moveTo(rule.id, to)}
            onEdit={() => onOpen({ kind: 'edit-rule', rule, place })}
            onDelete={() => acts.deleteRule(rule.id)}
          />
        ))}
        <SourceRow source={proxy.source} verdict={verdictOf('source')} only={shown.length === 0} />
      </ol>
    </Panel>
  );
}
