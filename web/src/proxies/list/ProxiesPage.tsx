import { problemText } from '../../data/problem-text.ts';
import { useSession } from '../../data/session.ts';
import { useApi } from '../../data/use-api.ts';
import { DemoAccounts } from '../../demo/DemoAccounts.tsx';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import { StaleList } from '../../ui/feedback/StaleList.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { NoCloudflare } from '../NoCloudflare.tsx';
import { ServedWhen } from '../ServedWhen.tsx';
import { ClaimsPanel } from './ClaimsPanel.tsx';
import { ProxiesTable } from './ProxiesTable.tsx';

const newProxy = (
  <ButtonLink to="/proxies/new" variant="primary" icon="plus">
    Create proxy
  </ButtonLink>
);

export function ProxiesPage() {
  const proxies = useApi('GET /api/proxies');
  const { owner } = useSession();
  const any = (proxies.data?.length ?? 0) > 0;
  return (
    <Page
      title="Proxies"
      sub="Join several websites under one domain."
      actions={(any || !proxies.data) && newProxy}
    >
      <div className={layout.banners}>
        <NoCloudflare />
        <DemoAccounts />
        {proxies.isError && proxies.data && (
          <StaleList what="proxies" loadedAt={proxies.dataUpdatedAt} onRetry={() => void proxies.refetch()} />
        )}
      </div>
      <div className={classNames(layout.stack, layout.gap5)}>
        <Panel
          body="flush"
          busy={proxies.isPending}
          footer={
            <>
              <Icon name="info" size={16} />
              <p>
                <ServedWhen />
              </p>
            </>
          }
        >
          {proxies.isPending && <SkeletonRows />}
          {proxies.isError && !proxies.data && (
            <Failed title="The proxies could not be loaded" onRetry={() => void proxies.refetch()}>
              {problemText(proxies.error)}
            </Failed>
          )}
          {proxies.data && !any && (
            <Empty title="No proxies yet" action={newProxy}>
              A proxy answers one domain with several websites: your site at /, your blog at /blog, your shop
              at /shop.
            </Empty>
          )}
          {proxies.data && any && <ProxiesTable proxies={proxies.data} />}
        </Panel>
        {owner && <ClaimsPanel />}
      </div>
    </Page>
  );
}
