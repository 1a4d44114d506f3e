import { Link, useParams } from '@tanstack/react-router';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import emptyStyles from '../../ui/feedback/empty.module.css';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import typography from '../../ui/text/typography.module.css';
import { AppDetail } from './AppDetail.tsx';

export { prepareApp as prepare } from './prepare-app.ts';

const crumbs = <Link to="/apps">Applications</Link>;

export function AppPage() {
  const { server: serverKey, longname } = useParams({ from: '/frame/app/$server/$longname' });
  const apps = useApi('GET /api/apps');
  const servers = useApi('GET /api/servers');
  const app = apps.data?.find((each) => each.serverKey === serverKey && each.longname === longname);
  const server = servers.data?.find(({ key }) => key === serverKey);
  if (app && server) return <AppDetail key={app.id} app={app} server={server} />;

  const failed = [apps, servers].find((query) => query.isError && !query.data);
  const pending = apps.isPending || servers.isPending;
  return (
    <Page title={longname} crumbs={crumbs}>
      <Panel busy={pending} body="flush">
        {failed ? (
          <Failed title="The app could not be loaded" onRetry={() => void failed.refetch()}>
            {problemText(failed.error)}
          </Failed>
        ) : pending ? (
          <SkeletonRows />
        ) : (
          <NotFound longname={longname} />
        )}
      </Panel>
    </Page>
  );
}

function NotFound({ longname }: { longname: string }) {
  return (
    <div className={emptyStyles.empty}>
      <h2>No such app</h2>
      <p>
        You have no app <span className={typography.monospace}>{longname}</span> on this server. It may have
        been destroyed, or the address has a mistake.
      </p>
      <div className={emptyStyles.actions}>
        <ButtonLink to="/apps" icon="apps">
          All applications
        </ButtonLink>
      </div>
    </div>
  );
}
