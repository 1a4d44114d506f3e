import type { QueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { isProblem } from '../../data/api-problem.ts';
import { firstAnswers, firstRead } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import emptyStyles from '../../ui/feedback/empty.module.css';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ProxyDetail } from './ProxyDetail.tsx';

const crumbs = <Link to="/proxies">Proxies</Link>;

/** For the page's loader: with the proxy the page is drawn once. */
export const prepare = (client: QueryClient, params: { id: string }) =>
  firstAnswers(client, firstRead('GET /api/proxies/:id', { params }));

export function ProxyPage() {
  const { id } = useParams({ from: '/frame/proxy/$id' });
  const proxy = useApi('GET /api/proxies/:id', { params: { id } });
  const known = useApi('GET /api/proxies').data?.find((each) => each.id === id);
  const gone = isProblem(proxy.error, 'not_found');
  if (proxy.data && !gone) return <ProxyDetail key={proxy.data.id} proxy={proxy.data} />;
  return (
    <Page title={known?.name ?? 'Proxy'} crumbs={crumbs}>
      <Panel busy={proxy.isPending} body="flush">
        {proxy.isPending ? (
          <SkeletonRows />
        ) : gone ? (
          <NotFound />
        ) : (
          <Failed title="The proxy could not be loaded" onRetry={() => void proxy.refetch()}>
            {problemText(proxy.error)}
          </Failed>
        )}
      </Panel>
    </Page>
  );
}

function NotFound() {
  return (
    <div className={emptyStyles.empty}>
      <h2>No such proxy</h2>
      <p>You have no proxy at this address. It may have been deleted, or the address has a mistake.</p>
      <div className={emptyStyles.actions}>
        <ButtonLink to="/proxies" icon="proxy">
          All proxies
        </ButtonLink>
      </div>
    </div>
  );
}
