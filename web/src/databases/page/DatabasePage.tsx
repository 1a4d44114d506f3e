import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import emptyStyles from '../../ui/feedback/empty.module.css';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import typography from '../../ui/text/typography.module.css';
import { DatabaseDetail } from './DatabaseDetail.tsx';

const crumbs = <Link to="/databases">Databases</Link>;

export function DatabasePage() {
  const { longname } = useParams({ from: '/frame/databases/$longname' });
  const { id } = useSearch({ from: '/frame/databases/$longname' });
  const databases = useApi('GET /api/databases');
  const servers = useApi('GET /api/servers');
  const named = databases.data?.filter((each) => each.longname === longname) ?? [];
  // Two servers may have databases of the same name, and so may two types.
  const database = named.length === 1 ? named[0] : named.find((each) => each.id === id);
  const server = servers.data?.find((each) => each.id === database?.serverId);
  if (database && server) return <DatabaseDetail key={database.id} database={database} server={server} />;

  const failed = [databases, servers].find((query) => query.isError && !query.data);
  const pending = databases.isPending || servers.isPending;
  return (
    <Page title={longname} crumbs={crumbs}>
      <Panel busy={pending} body="flush">
        {failed ? (
          <Failed title="The database could not be loaded" onRetry={() => void failed.refetch()}>
            {problemText(failed.error)}
          </Failed>
        ) : pending ? (
          <SkeletonRows />
        ) : named.length > 1 ? (
          <Which named={named} />
        ) : (
          <NotFound longname={longname} />
        )}
      </Panel>
    </Page>
  );
}

function Which({ named }: { named: readonly Database[] }) {
  return (
    <ul className={settingsListStyles.settings} aria-label="Databases of this name">
      {named.map(({ id, longname, name, type, serverName }) => (
        <li key={id}>
          <span className={typography.twoLines}>
            <Link
              className={typography.name}
              to="/databases/$longname"
              params={{ longname }}
              search={{ id }}
              replace
            >
              {name}
            </Link>
            <small>
              {databaseTypeOf(type).title} on {serverName}
            </small>
          </span>
        </li>
      ))}
    </ul>
  );
}

function NotFound({ longname }: { longname: string }) {
  return (
    <div className={emptyStyles.empty}>
      <h2>No such database</h2>
      <p>
        You have no database <span className={typography.monospace}>{longname}</span>. It may have been
        deleted, or the address has a mistake.
      </p>
      <div className={emptyStyles.actions}>
        <ButtonLink to="/databases" icon="database">
          All databases
        </ButtonLink>
      </div>
    </div>
  );
}
