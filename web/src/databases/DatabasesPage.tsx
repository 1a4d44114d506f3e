import { Page } from '../shell/Page.tsx';
import { Empty } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';

export function DatabasesPage() {
  return (
    <Page title="Databases">
      <Panel body="flush">
        <Empty title="No databases yet">
          Here you will create databases on your servers, link them to apps and read their connection strings.
          This version does not manage databases yet; Dokku on your server does it at its own command line.
        </Empty>
      </Panel>
    </Page>
  );
}
