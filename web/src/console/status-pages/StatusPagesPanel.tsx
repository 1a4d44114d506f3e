import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import type { OperatedStatusPage } from '@homeport/contract/status-pages/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { FilterField } from '../../ui/form/FilterField.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { TakeDownDialog } from './TakeDownDialog.tsx';

const shownFirst = 10;

/** What people publish at this console's address, and what was taken down. */
export function StatusPagesPanel() {
  const [search, setSearch] = useState('');
  const [asking, setAsking] = useState<OperatedStatusPage | null>(null);
  const list = useQuery({
    ...apiQuery('GET /api/console/status-pages', search === '' ? {} : { query: { search } }),
    placeholderData: keepPreviousData,
  });
  const { served, pages, more } = list.data ?? { served: true, pages: [], more: false };
  const { shown, more: moreRows } = useFirstRows(pages, shownFirst);
  const isEmpty = list.data !== undefined && pages.length === 0 && search === '';
  return (
    <Panel
      id="status-pages"
      title="Status pages"
      body="flush"
      busy={list.isPending}
      actions={
        list.data &&
        !isEmpty && (
          <>
            {moreRows}
            <FilterField
              of="status pages"
              by="address or title"
              most={statusPageLimits.titleCharacters}
              words={search}
              onChange={setSearch}
            />
          </>
        )
      }
      footer={
        (more || (!served && pages.length > 0)) && (
          <span>
            {!served && 'Status pages are switched off, so nobody can read these. '}
            {more && 'There are more. Filter by the address to find one.'}
          </span>
        )
      }
    >
      <NotLoaded query={list} title="The status pages could not be loaded" rows={1} />
      {isEmpty && <NothingYet>None is published.</NothingYet>}
      {list.data && pages.length === 0 && search !== '' && (
        <NothingYet>No published page has these words in its address or title.</NothingYet>
      )}
      {pages.length > 0 && (
        <SettingsList aria-label="Status pages of all people">
          {shown.map((page) => (
            <PageRow key={page.id} page={page} served={served} onTakeDown={() => setAsking(page)} />
          ))}
        </SettingsList>
      )}
      {asking && <TakeDownDialog page={asking} onClose={() => setAsking(null)} />}
    </Panel>
  );
}

function PageRow({
  page,
  served,
  onTakeDown,
}: {
  page: OperatedStatusPage;
  served: boolean;
  onTakeDown: () => void;
}) {
  const { id, slug, title, person, takenDown } = page;
  const allow = useAct('PUT /api/console/status-pages/:id/taken-down', {
    onDone: () => toast.ok(`${title} may be published again`),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <Setting
      title={title}
      note={
        <>
          {takenDown === null && served ? <a href={`/status/${slug}`}>/status/{slug}</a> : `/status/${slug}`}{' '}
          of {person}
          {takenDown !== null && <>. Taken down: {takenDown}</>}
        </>
      }
      action={
        takenDown === null ? (
          <Button size="sm" aria-label={`Take ${title} down`} onClick={onTakeDown}>
            Take down
          </Button>
        ) : (
          <Button
            size="sm"
            aria-label={`Allow ${title} again`}
            busy={allow.isPending}
            busyLabel="Allowing"
            onClick={() => allow.mutate({ params: { id }, body: { reason: null } })}
          >
            Allow again
          </Button>
        )
      }
    />
  );
}
