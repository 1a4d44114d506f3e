import { Page } from '../shell/Page.tsx';
import { Empty } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';

export function ProxiesPage() {
  return (
    <Page title="Proxies">
      <Panel body="flush">
        <Empty title="No proxies yet">
          A proxy joins several websites under one domain. This version does not serve proxies yet.
        </Empty>
      </Panel>
    </Page>
  );
}
