import type { Server } from '@homeport/contract/servers/schema';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import { StatsNotLoaded } from '../StatsNotLoaded.tsx';
import { useFleet } from '../use-fleet.ts';
import { useInstall } from '../use-install.tsx';
import { ServersPanel } from './ServersPanel.tsx';

const route = getRouteApi('/frame/servers');
const AddServerDialog = lazy(async () => ({
  default: (await import('../add/AddServerDialog.tsx')).AddServerDialog,
}));
const InstallLineDialog = lazy(async () => ({
  default: (await import('../InstallLineDialog.tsx')).InstallLineDialog,
}));

export function ServersPage() {
  const { add } = route.useSearch();
  const navigate = route.useNavigate();
  const { servers, dumps, lines, now } = useFleet();
  const apps = useApi('GET /api/apps').data;
  const install = useInstall();
  /** The read-only server that was just added, whose agent has no token yet. */
  const [unreported, setUnreported] = useState<Server | null>(null);
  const openAdd = () => void navigate({ search: { add: true } });
  const closeAdd = () => void navigate({ search: {}, replace: true });

  const online = lines?.filter(({ status }) => status === 'online').length ?? 0;
  const sub =
    lines && lines.length > 0 && dumps.data
      ? `${online} of ${lines.length} online. Stats arrive every 3 minutes; a server that is silent for 5 minutes counts as offline.`
      : undefined;
  const addButton = (
    <Button variant="primary" icon="plus" onClick={openAdd}>
      Add server
    </Button>
  );
  return (
    <Page title="Servers" sub={sub} actions={lines?.length === 0 ? undefined : addButton}>
      {dumps.isError && lines && <StatsNotLoaded dumps={dumps} />}
      {lines === undefined ? (
        <section className={panelStyles.panel} aria-label="Servers" aria-busy={servers.isPending}>
          {servers.isError ? (
            <Failed title="Your servers could not be loaded" onRetry={() => void servers.refetch()}>
              {problemText(servers.error)}
            </Failed>
          ) : (
            <SkeletonRows />
          )}
        </section>
      ) : lines.length === 0 ? (
        <section className={panelStyles.panel} aria-label="Servers">
          <Empty title="No servers yet" action={addButton}>
            Link a machine that answers SSH: its health shows here, and apps run on it.
          </Empty>
        </section>
      ) : (
        <ServersPanel lines={lines} apps={apps} now={now} onInstall={(server) => install.start(server)} />
      )}
      <Suspense fallback={null}>
        {add && (
          <AddServerDialog
            onClose={closeAdd}
            onAdded={(server: Server, password) => {
              closeAdd();
              if (server.credential === null) setUnreported(server);
              else install.start(server, password);
            }}
          />
        )}
        {unreported && <InstallLineDialog server={unreported} onClose={() => setUnreported(null)} />}
      </Suspense>
      {install.dialog}
    </Page>
  );
}
