import { Page } from '../shell/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Empty } from '../ui/States.tsx';

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
