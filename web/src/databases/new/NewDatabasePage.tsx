import { databaseTypes } from '@homeport/contract/databases/types/database-types';
import { Link, useSearch } from '@tanstack/react-router';
import { useServersWithStats } from '../../data/server-status.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { FormNotReady } from '../../server-choice/FormNotReady.tsx';
import { NoServerYet } from '../../server-choice/NoServerYet.tsx';
import { offerServers } from '../../server-choice/server-offer.ts';
import { consoleTime } from '../../ui/text/console-time.ts';
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
  if (!servers) return <FormNotReady queries={queries} />;
  if (servers.length === 0)
    return (
      <NoServerYet>
        A database runs on a server of yours. Add one first, then create the database on it.
      </NoServerYet>
    );
  return (
    <NewDatabaseForm
      offers={offerServers(servers, databases, 'database', consoleTime())}
      wanted={wanted}
      type={databaseTypes.find((each) => each.type === type)?.type ?? null}
    />
  );
}
