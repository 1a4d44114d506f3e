import { Link, useParams } from '@tanstack/react-router';
import { problemText } from '../../data/problem-text.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import emptyStyles from '../../ui/feedback/empty.module.css';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useZones } from '../use-zones.ts';
import { DomainDetail } from './DomainDetail.tsx';

export function DomainPage() {
  const { id } = useParams({ from: '/frame/domain/$id' });
  const { zones } = useZones();
  const zone = zones.data?.zones.find((each) => each.id === id);
  if (zone) return <DomainDetail key={zone.id} zone={zone} />;
  return (
    <Page title="Domain" crumbs={<Link to="/domains">Domains</Link>}>
      <Panel busy={zones.isPending} body="flush">
        {zones.isPending && <SkeletonRows />}
        {zones.isError && !zones.data && (
          <Failed title="The domain could not be loaded" onRetry={() => void zones.refetch()}>
            {problemText(zones.error)}
          </Failed>
        )}
        {zones.data && (
          <div className={emptyStyles.empty}>
            <h2>No such domain</h2>
            <p>
              Your Cloudflare account lists no such domain. It may have been removed, or the account unlinked.
            </p>
            <div className={emptyStyles.actions}>
              <ButtonLink to="/domains" icon="domain">
                All domains
              </ButtonLink>
            </div>
          </div>
        )}
      </Panel>
    </Page>
  );
}
