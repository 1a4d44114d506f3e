import { Link, useSearch } from '@tanstack/react-router';
import { useServersWithStats } from '../../data/server-status.ts';
import { useSession } from '../../data/session.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { FormNotReady } from '../../server-choice/FormNotReady.tsx';
import { NoServerYet } from '../../server-choice/NoServerYet.tsx';
import { offerServers } from '../../server-choice/server-offer.ts';
import { consoleTime } from '../../ui/text/console-time.ts';
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

  if (!servers || !keys.data || !configuration.data) return <FormNotReady queries={queries} />;
  if (servers.length === 0)
    return (
      <NoServerYet>An app runs on a server of yours. Add one first, then create the app on it.</NoServerYet>
    );
  return (
    <NewAppForm
      offers={offerServers(servers, apps, 'app', consoleTime())}
      wanted={wanted}
      keys={keys.data}
      appDomain={configuration.data.appDomain}
      email={user.email}
    />
  );
}
