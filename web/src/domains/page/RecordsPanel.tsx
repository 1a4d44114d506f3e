import type { DnsRecord, DnsRecordList, Zone } from '@homeport/contract/domains/schema';
import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { IconButton } from '../../ui/button/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { NothingMatches, NothingYet } from '../../ui/feedback/States.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { FilterField } from '../../ui/form/FilterField.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatCount } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { RecordsTable } from './RecordsTable.tsx';

interface RecordsPanelProps {
  zone: Zone;
  records: UseQueryResult<DnsRecordList>;
  onEdit: (record: DnsRecord) => void;
}

export function RecordsPanel({ zone, records, onEdit }: RecordsPanelProps) {
  const [words, setWords] = useState('');
  const followed = useDeferredValue(words).trim().toLowerCase();
  const all = records.data?.records;
  const shown = useMemo(() => (all ?? []).filter((record) => fits(record, followed)), [all, followed]);
  const { deleting, remove } = useDeletion(zone);
  return (
    <Panel
      id="dns-records"
      title="DNS Records"
      body="flush"
      busy={records.isPending}
      aside={all && <span className={typography.subtle}>{formatCount(all.length)}</span>}
      actions={
        <>
          <FilterField of="records" by="name or content" words={words} onChange={setWords} />
          <IconButton
            label="Read the records again"
            icon="refresh"
            aria-busy={records.isFetching || undefined}
            onClick={() => void records.refetch()}
          />
        </>
      }
    >
      <NotLoaded query={records} title="Records could not be loaded" rows={5} />
      {records.data?.more && (
        <Banner>
          <p>This domain has more records. The first {formatCount(records.data.records.length)} are shown.</p>
        </Banner>
      )}
      {all?.length === 0 && <NothingYet>No records yet.</NothingYet>}
      {all && all.length > 0 && shown.length === 0 && <NothingMatches onClear={() => setWords('')} />}
      {shown.length > 0 && (
        <RecordsTable zone={zone} records={shown} deleting={deleting} onEdit={onEdit} onDelete={remove} />
      )}
    </Panel>
  );
}

const fits = ({ name, shownName, content, type }: DnsRecord, words: string) =>
  name.includes(words) ||
  shownName.toLowerCase().includes(words) ||
  content.toLowerCase().includes(words) ||
  type.toLowerCase() === words;

/** Deletes a record, and says in a toast when that failed. `deleting` is the id of the record that is being deleted. */
function useDeletion(zone: Zone) {
  const { mutate, isPending, variables } = useAct('DELETE /api/zones/:id/records/:record', {
    onFailed: (error) => toast.bad('The record was not deleted', { detail: problemText(error) }),
  });
  const remove = useCallback(
    ({ id }: DnsRecord) => mutate({ params: { id: zone.id, record: id } }),
    [mutate, zone.id],
  );
  return { deleting: isPending ? (variables?.params.record ?? null) : null, remove };
}
