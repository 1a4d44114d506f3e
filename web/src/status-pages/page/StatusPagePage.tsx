import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../data/api-problem.ts';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import emptyStyles from '../../ui/feedback/empty.module.css';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { StatusPageDetail } from './StatusPageDetail.tsx';

export function StatusPagePage({ id }: { id: string }) {
  const [isLeaving, setLeaving] = useState(false);
  // A page that is being deleted is read no more.
  const page = useQuery({
    ...apiQuery('GET /api/status-pages/:id', { params: { id } }),
    enabled: !isLeaving,
  });
  const list = useApi('GET /api/status-pages').data;
  const gone = isProblem(page.error, 'not_found');
  if (page.data && !gone)
    return <StatusPageDetail page={page.data} served={list?.served ?? true} onLeave={setLeaving} />;
  return (
    <Page
      title={list?.pages.find((each) => each.id === id)?.title ?? 'Status page'}
      crumbs={
        <Link to="/status-pages/{-$id}" params={{ id: undefined }}>
          Status pages
        </Link>
      }
    >
      <Panel busy={page.isPending} body="flush">
        {page.isPending ? (
          <SkeletonRows />
        ) : gone ? (
          <NotFound />
        ) : (
          <Failed title="The status page could not be loaded" onRetry={() => void page.refetch()}>
            {problemText(page.error)}
          </Failed>
        )}
      </Panel>
    </Page>
  );
}

function NotFound() {
  return (
    <div className={emptyStyles.empty}>
      <h2>No such status page</h2>
      <p>You have no status page here. It may have been deleted, or the address has a mistake.</p>
      <div className={emptyStyles.actions}>
        <ButtonLink to="/status-pages/{-$id}" params={{ id: undefined }}>
          All status pages
        </ButtonLink>
      </div>
    </div>
  );
}
