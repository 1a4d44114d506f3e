import { Page } from '../shell/Page.tsx';
import { Empty } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';

export function DomainsPage() {
  return (
    <Page title="Domains">
      <Panel body="flush">
        <Empty title="No domains yet">
          Here you will see the domains of your Cloudflare account and edit their DNS records. This version
          has no Cloudflare link yet.
        </Empty>
      </Panel>
    </Page>
  );
}
