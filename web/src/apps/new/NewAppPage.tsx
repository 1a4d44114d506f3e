import { Link, useSearch } from '@tanstack/react-router';
import { problemText } from '../../data/api-problem.ts';
import { useServersWithStats } from '../../data/server-status.ts';
import { useSession } from '../../data/session.ts';
import { useApi } from '../../data/use-api.ts';
import { offerServers } from '../../server-choice/server-offer.ts';
import { Page } from '../../shell/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { NewAppForm } from './NewAppForm.tsx';
import { useKeysRequired } from './use-keys-required.ts';

export function NewAppPage() {
  return (
    <Page
      title="New app"
      sub="Creates the app on your server, then sets users, limits, monitoring and the domain."
      crumbs={<Link to="/apps">Applications</Link>}
    >
      <Content />
    </Page>
  );
}

function Content() {
  const { server: wanted } = useSearch({ from: '/frame/apps/new' });
  const { user } = useSession();
  const servers = useServersWithStats();
  const queries = [
    useApi('GET /api/servers'),
    useApi('GET /monitor/dumps'),
    useApi('GET /api/keys'),
    useApi('GET /api/configuration'),
  ] as const;
  const [, , keys, configuration] = queries;
  const apps = useApi('GET /api/apps').data ?? [];
  useKeysRequired(keys.data?.length === 0);

  if (!servers || !keys.data || !configuration.data) {
    const failed = queries.find((query) => query.isError && !query.data);
    return (
      <Panel busy={!failed} body="flush">
        {failed ? (
          <Failed
            title="The form could not be prepared"
            onRetry={() => queries.forEach((query) => void (query.isError && query.refetch()))}
          >
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
          An app runs on a server of yours. Add one first, then create the app on it.
        </Empty>
      </Panel>
    );
  }
  return (
    <NewAppForm
      offers={offerServers(servers, apps, 'app')}
      wanted={wanted}
      keys={keys.data}
      appDomain={configuration.data.appDomain}
      email={user.email}
    />
  );
}
