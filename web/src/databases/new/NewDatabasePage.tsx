import { databaseTypes } from '@homeport/contract/databases/types/database-types';
import { Link, useSearch } from '@tanstack/react-router';
import { problemText } from '../../data/api-problem.ts';
import { useServersWithStats } from '../../data/server-status.ts';
import { useApi } from '../../data/use-api.ts';
import { offerServers } from '../../server-choice/server-offer.ts';
import { Page } from '../../shell/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { NewDatabaseForm } from './NewDatabaseForm.tsx';

export function NewDatabasePage() {
  return (
    <Page
      title="New database"
      sub="Creates the database on your server with a password of its own. Link it to apps afterwards."
      crumbs={<Link to="/databases">Databases</Link>}
    >
      <Content />
    </Page>
  );
}

function Content() {
  const { server: wanted, type } = useSearch({ from: '/frame/databases/new' });
  const servers = useServersWithStats();
  const queries = [useApi('GET /api/servers'), useApi('GET /monitor/dumps')] as const;
  const databases = useApi('GET /api/databases').data ?? [];
  if (!servers) {
    const failed = queries.find((query) => query.isError && !query.data);
    return (
      <Panel busy={!failed} body="flush">
        {failed ? (
          <Failed title="The form could not be prepared" onRetry={() => void failed.refetch()}>
            {problemText(failed.error)}
          </Failed>
        ) : (
          <SkeletonRows />
        )}
      </Panel>
    );
  }
  if (servers.length === 0) {
    return (
      <Panel>
        <Empty
          title="No server yet"
          action={
            <ButtonLink to="/servers" search={{ add: true }} variant="primary" icon="plus">
              Add server
            </ButtonLink>
          }
        >
          A database runs on a server of yours. Add one first, then create the database on it.
        </Empty>
      </Panel>
    );
  }
  return (
    <NewDatabaseForm
      offers={offerServers(servers, databases, 'database')}
      wanted={wanted}
      type={databaseTypes.find((each) => each.type === type)?.type ?? null}
    />
  );
}
