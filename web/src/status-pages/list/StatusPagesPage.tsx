import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { RouteOutput } from '../../data/route-types.ts';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { Empty } from '../../ui/feedback/States.tsx';
import { Quiet } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { NotServed } from '../NotServed.tsx';

const loadDialog = () => import('./NewPageDialog.tsx');
const NewPageDialog = lazy(async () => ({ default: (await loadDialog()).NewPageDialog }));

/** The person's status pages. */
export function StatusPagesPage() {
  const list = useApi('GET /api/status-pages');
  const [isAdding, setAdding] = useState(false);
  const { served = true, pages = [] } = list.data ?? {};
  const isFull = pages.length >= statusPageLimits.pages;
  const create = (
    <Button
      variant="primary"
      icon="plus"
      onPointerEnter={loadDialog}
      disabledReason={isFull ? `An account has at most ${statusPageLimits.pages} status pages.` : null}
      onClick={() => setAdding(true)}
    >
      Create status page
    </Button>
  );
  return (
    <Page
      title="Status pages"
      sub="Say to anybody who knows the address whether your services are up."
      crumbs={<Link to="/notifications">Notifications</Link>}
      actions={served && pages.length > 0 && create}
    >
      <div className={layout.banners}>{!served && <NotServed />}</div>
      {(served || pages.length > 0) && (
        <Panel body="flush" busy={list.isPending}>
          <NotLoaded query={list} title="The status pages could not be loaded" rows={2} />
          {list.data && pages.length === 0 && (
            <Empty title="No status pages yet" action={create}>
              A status page shows strangers which of your services are up, what is wrong and what you plan.
              You choose what stands on it and under which names.
            </Empty>
          )}
          {pages.length > 0 && <Pages pages={pages} />}
        </Panel>
      )}
      {isAdding && (
        <Suspense fallback={null}>
          <NewPageDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </Page>
  );
}

type ListedPage = RouteOutput<'GET /api/status-pages'>['pages'][number];

const columns: readonly Column<ListedPage>[] = [
  {
    key: 'title',
    // An element, not text, because a card shows the title and the state without a label.
    head: <>Title</>,
    card: 'full',
    sortBy: ({ title }) => title,
    cell: ({ id, title }) => (
      <Link className={typography.name} to="/status-pages/{-$id}" params={{ id }}>
        {title}
      </Link>
    ),
  },
  {
    key: 'slug',
    head: 'Address',
    card: 'wide',
    sortBy: ({ slug }) => slug,
    cell: ({ slug }) => `/status/${slug}`,
  },
  {
    key: 'published',
    head: 'Readers',
    cell: ({ published, takenDown }) => (
      <Quiet lamp={published ? 'on' : 'nodata'}>
        {published ? 'Published' : takenDown === null ? 'Hidden' : 'Taken down'}
      </Quiet>
    ),
  },
  {
    key: 'created',
    head: 'Created',
    card: 'low',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
  },
];

function Pages({ pages }: { pages: readonly ListedPage[] }) {
  const navigate = useNavigate();
  return (
    <Table
      caption="Status pages"
      columns={columns}
      rows={pages}
      rowKey={({ id }) => id}
      sort={{ key: 'title', direction: 'ascending' }}
      onOpen={({ id }) => void navigate({ to: '/status-pages/{-$id}', params: { id } })}
    />
  );
}
