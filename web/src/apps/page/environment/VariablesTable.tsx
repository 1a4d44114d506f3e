import { useState } from 'react';
import { IconButton } from '../../../ui/button/Button.tsx';
import { CopyButton } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Badge } from '../../../ui/feedback/Status.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { type Column, Table } from '../../../ui/table/Table.tsx';
import typography from '../../../ui/text/typography.module.css';
import { isPlain } from './plain-variable.ts';
import { StateBadge } from './StateBadge.tsx';
import type { Variable } from './staged-changes.ts';
import styles from './VariablesTable.module.css';

export interface VariablesTableProps {
  variables: readonly Variable[];
  /** Shows every value. */
  revealAll: boolean;
  onEdit: (variable: Variable) => void;
  onRemove: (variable: Variable) => void;
  onUndo: (variable: Variable) => void;
}

/** Each value is hidden until the user asks for it, except those of Dokku that hold no secret. */
export function VariablesTable({ variables, revealAll, onEdit, onRemove, onUndo }: VariablesTableProps) {
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const next = new Set(revealed);
    if (!next.delete(key)) next.add(key);
    setRevealed(next);
  };
  const isShown = (variable: Variable) => isPlain(variable) || revealAll || revealed.has(variable.key);

  const columns: readonly Column<Variable>[] = [
    {
      key: 'key',
      head: 'Name',
      width: '24%',
      card: 'acted',
      cell: (variable) => (
        <span className={classNames(layout.row, layout.wrap)}>
          <span className={classNames(typography.monospace, styles.key)}>{variable.key}</span>
          {variable.state !== 'kept' && <StateBadge state={variable.state} />}
          {variable.managed && <Badge icon="lock">Kept by Dokku</Badge>}
        </span>
      ),
    },
    {
      key: 'value',
      head: 'Value',
      card: 'wide',
      cell: (variable) =>
        isShown(variable) ? (
          <span
            className={
              variable.state === 'removed'
                ? classNames(typography.monospace, styles.value, styles.removed)
                : classNames(typography.monospace, styles.value)
            }
          >
            {variable.value}
          </span>
        ) : (
          <span className={typography.subtle}>
            <span aria-hidden="true">••••••••••••</span>
            <span className={layout.visuallyHidden}>Hidden</span>
          </span>
        ),
    },
    {
      key: 'acts',
      head: null,
      label: 'Actions',
      align: 'end',
      card: 'actions',
      cell: (variable) => (
        <div className={layout.cellActions}>
          {!revealAll && !isPlain(variable) && (
            <IconButton
              label={isShown(variable) ? `Hide ${variable.key}` : `Show ${variable.key}`}
              icon={isShown(variable) ? 'eyeoff' : 'eye'}
              aria-pressed={isShown(variable)}
              onClick={() => toggle(variable.key)}
            />
          )}
          <CopyButton text={variable.value} what={`value of ${variable.key}`} />
          {!variable.managed && variable.state !== 'removed' && (
            <>
              <IconButton label={`Edit ${variable.key}`} icon="edit" onClick={() => onEdit(variable)} />
              <IconButton label={`Remove ${variable.key}`} icon="trash" onClick={() => onRemove(variable)} />
            </>
          )}
          {variable.state !== 'kept' && (
            <IconButton
              label={`Take back the change of ${variable.key}`}
              icon="x"
              onClick={() => onUndo(variable)}
            />
          )}
        </div>
      ),
    },
  ];
  return (
    <Table
      caption="Variables and their values"
      columns={columns}
      rows={variables}
      rowKey={({ key }) => key}
    />
  );
}
