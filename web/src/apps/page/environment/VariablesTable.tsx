import { useState } from 'react';
import { IconButton } from '../../../ui/Button.tsx';
import { CopyButton } from '../../../ui/CodeLine.tsx';
import { Badge } from '../../../ui/Status.tsx';
import { type Column, Table } from '../../../ui/Table.tsx';
import { StateBadge } from './StateBadge.tsx';
import type { Variable } from './staged-changes.ts';

export interface VariablesTableProps {
  variables: readonly Variable[];
  /** Shows every value. */
  revealAll: boolean;
  onEdit: (variable: Variable) => void;
  onRemove: (variable: Variable) => void;
  onUndo: (variable: Variable) => void;
}

/** Each value is hidden until it is asked for. */
export function VariablesTable({ variables, revealAll, onEdit, onRemove, onUndo }: VariablesTableProps) {
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const next = new Set(revealed);
    if (!next.delete(key)) next.add(key);
    setRevealed(next);
  };
  const isShown = ({ key }: Variable) => revealAll || revealed.has(key);

  const columns: readonly Column<Variable>[] = [
    {
      key: 'key',
      head: 'Name',
      card: 'full',
      cell: (variable) => (
        <span className="row wrap">
          <span className="mono envkey">{variable.key}</span>
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
          <span className={variable.state === 'removed' ? 'mono envvalue gone' : 'mono envvalue'}>
            {variable.value}
          </span>
        ) : (
          <span className="subtle">
            <span aria-hidden="true">••••••••••••</span>
            <span className="sr">Hidden</span>
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
        <div className="acts-cell">
          {!revealAll && (
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
