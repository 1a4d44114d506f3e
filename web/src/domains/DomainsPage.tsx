import { Page } from '../shell/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Empty } from '../ui/States.tsx';

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
