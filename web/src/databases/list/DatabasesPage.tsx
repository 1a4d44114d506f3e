import type { Server } from '@homeport/contract/servers/schema';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { StaleList } from '../../ui/feedback/StaleList.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useDatabaseStatuses } from '../use-database-statuses.ts';
import { DatabasesPanel } from './DatabasesPanel.tsx';
import { summaryOf } from './filter-databases.ts';
import { ImportMenu } from './ImportMenu.tsx';
import { Remains } from './Remains.tsx';

const newDatabase = (
  <ButtonLink to="/databases/new" variant="primary" icon="plus">
    New database
  </ButtonLink>
);

export function DatabasesPage() {
  const databases = useApi('GET /api/databases');
  const servers = useApi('GET /api/servers').data ?? [];
  const statusOf = useDatabaseStatuses();
  const any = (databases.data?.length ?? 0) > 0;
  return (
    <Page
      title="Databases"
      sub={any && databases.data && summaryOf(databases.data, statusOf)}
      actions={
        <>
          {any && <ImportMenu servers={servers} />}
          {(any || !databases.data) && newDatabase}
        </>
      }
    >
      {databases.isError && databases.data && (
        <div className={layout.banners}>
          <StaleList
            what="databases"
            loadedAt={databases.dataUpdatedAt}
            onRetry={() => void databases.refetch()}
          />
        </div>
      )}
      <Remains />
      {databases.isPending && (
        <Panel body="flush" busy>
          <SkeletonRows />
        </Panel>
      )}
      {databases.isError && !databases.data && (
        <Panel>
          <Failed title="The databases could not be loaded" onRetry={() => void databases.refetch()}>
            {problemText(databases.error)}
          </Failed>
        </Panel>
      )}
      {databases.data && !any && <NoDatabases servers={servers} />}
      {databases.data && any && <DatabasesPanel databases={databases.data} />}
    </Page>
  );
}

function NoDatabases({ servers }: { servers: readonly Server[] }) {
  return (
    <Panel>
      <Empty
        title="No databases yet"
        action={
          <>
            {newDatabase}
            <ImportMenu servers={servers} />
          </>
        }
      >
        A database holds what your apps must not lose. Create it on one of your servers, then link it to an
        app: the app gets the connection string in a variable. Databases that a server has already can be
        imported.
      </Empty>
    </Panel>
  );
}
