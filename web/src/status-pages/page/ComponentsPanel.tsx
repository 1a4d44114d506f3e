import type { StatusComponent } from '@homeport/contract/status-pages/schema';
import { Button } from '../../ui/button/Button.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import typography from '../../ui/text/typography.module.css';
import { inGroups } from './components-form.ts';
import type { SectionProps } from './page-dialog.ts';
import { useSources } from './use-sources.ts';

/** What readers see of apps and domains, in the order of the page, beside what only its person sees: which one each is. */
export function ComponentsPanel({ page: { components }, onOpen }: SectionProps) {
  const { textOf } = useSources();
  const ordered = inGroups(components).flatMap(([, members]) => members);
  const { shown, more } = useFirstRows(ordered, 10);
  const columns: readonly Column<StatusComponent>[] = [
    {
      key: 'name',
      head: 'Public name',
      card: 'full',
      cell: ({ name }) => <span className={typography.strong}>{name}</span>,
    },
    { key: 'group', head: 'Group', cell: ({ group }) => group || 'None' },
    {
      key: 'source',
      head: 'Only you see',
      card: 'wide',
      cell: ({ kind, target }) => textOf(kind, target),
    },
  ];
  return (
    <Panel
      title="Components"
      id="components"
      body="flush"
      actions={
        <>
          {more}
          <Button size="sm" onClick={() => onOpen({ kind: 'components' })}>
            {components.length === 0 ? 'Choose components' : 'Edit components'}
          </Button>
        </>
      }
    >
      {components.length === 0 ? (
        <NothingYet>Choose the apps and domains whose state readers see.</NothingYet>
      ) : (
        <Table caption="Components" columns={columns} rows={shown} rowKey={({ target }) => target} />
      )}
    </Panel>
  );
}
