import type { ProxyRule } from '@homeport/contract/proxies/schema';
import type { RuleVerdict } from '@homeport/rules';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { IconButton } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ClickAgainButton } from '../../ui/click-again/ClickAgainButton.tsx';
import { Chip } from '../../ui/feedback/Status.tsx';
import typography from '../../ui/text/typography.module.css';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import { Flow } from './Flow.tsx';
import { Grip } from './Grip.tsx';
import type { Lift } from './reorder.ts';
import { ruleChips } from './rule-chips.ts';
import styles from './rules.module.css';

export interface RuleRowProps {
  rule: ProxyRule;
  /** From 0. */
  place: number;
  count: number;
  /** What the tested URL means for this rule. */
  verdict: RuleVerdict | null;
  warnings: readonly string[];
  lift: Lift | null;
  busy: boolean;
  list: RefObject<HTMLOListElement | null>;
  onLift: (lift: Lift | null) => void;
  onMove: (to: number) => void;
  onEdit: () => void;
  onDelete: () => void;
}

export function RuleRow(props: RuleRowProps) {
  const { rule, place, count, verdict, warnings, lift, list, busy, onLift, onMove } = props;
  const [armed, setArmed] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  useKeptFocus(row, place);
  const number = place + 1;
  const dragged = lift?.id === rule.id;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(place + (event.key === 'ArrowUp' ? -1 : 1));
  };
  return (
    <li
      ref={row}
      data-rule={rule.id}
      className={classNames(
        styles.rule,
        verdict?.verdict === 'no-fit' && styles.passed,
        verdict?.verdict === 'takes' && styles.takes,
        armed && styles.armed,
        dragged && styles.lifted,
        insertion(props),
      )}
      onKeyDown={onKeyDown}
    >
      <Grip
        rule={rule.id}
        place={place}
        count={count}
        lift={lift}
        list={list}
        onLift={onLift}
        onMove={onMove}
      />
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <div className={styles.text}>
        <Flow
          from={<code className={classNames(typography.monospace, styles.path)}>{rule.path}</code>}
          to={rule.target}
        />
        <p className={styles.chips}>
          {ruleChips(rule).map((chip) => (
            <Chip key={chip}>{chip}</Chip>
          ))}
        </p>
        {warnings.map((warning) => (
          <p key={warning} className={styles.warning}>
            {warning}
          </p>
        ))}
      </div>
      <Verdict verdict={verdict} />
      <span className={styles.actions}>
        <IconButton
          label={`Move rule ${number} up`}
          icon="arrowup"
          disabledReason={place === 0 ? 'It is the first.' : null}
          onClick={() => onMove(place - 1)}
        />
        <IconButton
          label={`Move rule ${number} down`}
          icon="arrowdown"
          disabledReason={place === count - 1 ? 'It is the last.' : null}
          onClick={() => onMove(place + 1)}
        />
        <IconButton label={`Edit rule ${number}`} icon="edit" onClick={props.onEdit} />
        <ClickAgainButton
          label={`Delete rule ${number}`}
          what={`Rule ${number}, ${rule.path}`}
          busy={busy}
          onArm={setArmed}
          onConfirm={props.onDelete}
        />
      </span>
    </li>
  );
}

function Verdict({ verdict }: { verdict: RuleVerdict | null }) {
  if (verdict?.verdict === 'takes') return <span className={styles.hit}>takes this URL</span>;
  if (verdict?.verdict === 'no-fit')
    return (
      <span className={styles.verdict} title={verdict.why}>
        does not fit
      </span>
    );
  return <span />;
}

/** Where the dragged rule would be put down, seen from this row. */
function insertion({ place, lift, rule, list }: RuleRowProps): string | undefined {
  if (lift?.by !== 'pointer' || lift.id === rule.id) return undefined;
  const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-rule]') ?? [])];
  const from = rows.findIndex((each) => each.dataset.rule === lift.id);
  const among = place > from ? place - 1 : place;
  if (among === lift.to) return styles.before;
  return among === lift.to - 1 && lift.to === rows.length - 1 ? styles.after : undefined;
}
