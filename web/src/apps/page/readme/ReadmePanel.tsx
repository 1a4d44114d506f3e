import { isDeployed } from '@homeport/contract/apps/health';
import type { Readme } from '@homeport/contract/apps/settings-schema';
import type { RepositoryReadme as RepositoryAnswer } from '@homeport/contract/github/schema';
import { messages } from '@homeport/contract/messages';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useApi } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { useConnect } from '../../../on-server/use-connect.ts';
import { NotLoaded } from '../../../page-frame/NotLoaded.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet, SkeletonRows } from '../../../ui/feedback/States.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import panelStyles from '../../../ui/layout/panel.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }));

/** The readme of the deployed version. */
export function ReadmePanel({ place }: { place: AppPlace }) {
  const client = useQueryClient();
  const { state, queryKey } = useOnServer('GET /api/apps/:id/readme', place, 'readme');
  const read = state.kind === 'ready' ? state.data : null;
  const github = useApi('GET /api/github').data?.account;
  const hasRepository = place.app.repository !== null && github?.linkAgain === false;
  return (
    <Panel
      id="readme"
      title={
        <span title={read && 'account' in read ? readBy(read.account, place.server.username) : undefined}>
          Readme
        </span>
      }
      body="flush"
      busy={state.kind === 'loading'}
    >
      {!isDeployed(place.app) && hasRepository ? (
        <RepositoryReadme app={place.app} />
      ) : (
        <ServerRead state={state} connect={place.connect} what="the readme" rows={1}>
          {(readme) => (
            <ReadmeText
              readme={readme}
              place={place}
              readAgain={() => client.invalidateQueries({ queryKey })}
            />
          )}
        </ServerRead>
      )}
    </Panel>
  );
}

/** The readme at GitHub, until the first deploy brings one to the server. */
function RepositoryReadme({ app }: { app: AppPlace['app'] }) {
  const readme = useApi('GET /api/apps/:id/repository/readme', { params: { id: app.id } });
  return (
    <>
      <NotLoaded query={readme} title="The readme could not be loaded" rows={1} />
      {readme.data && <RepositoryText readme={readme.data} />}
    </>
  );
}

function RepositoryText({ readme }: { readme: RepositoryAnswer }) {
  switch (readme.kind) {
    case 'none':
      return <NothingYet>The repository has no readme.</NothingYet>;
    case 'too_long':
      return <NothingYet>{messages.readmeTooLong}</NothingYet>;
    case 'text':
      return (
        <Suspense fallback={<SkeletonRows />}>
          <Markdown text={readme.text} />
        </Suspense>
      );
  }
}

interface ReadmeTextProps {
  readme: Readme;
  place: AppPlace;
  readAgain: () => Promise<void>;
}

function ReadmeText({ readme, place, readAgain }: ReadmeTextProps) {
  if (readme.kind !== 'text' && !isDeployed(place.app))
    return <NothingYet>The readme comes with the first deploy.</NothingYet>;
  switch (readme.kind) {
    case 'needs_root':
      return readme.user === null ? (
        <NothingYet>
          Reading it needs root, and {place.server.username} may not become that on {place.server.name}.
        </NothingYet>
      ) : (
        <ConnectAsRoot user={readme.user} place={place} onConnected={readAgain} />
      );
    case 'none':
      return <NothingYet>None was found in what is deployed.</NothingYet>;
    case 'too_long':
      return <NothingYet>{messages.readmeTooLong}</NothingYet>;
    case 'text':
      return (
        <Suspense fallback={<SkeletonRows />}>
          <Markdown text={readme.text} />
        </Suspense>
      );
  }
}

/** Actions on apps do not run as root. Only the user may decide to connect as root for reading. */
function ConnectAsRoot({
  user,
  place: { server },
  onConnected,
}: {
  user: string;
  place: AppPlace;
  onConnected: () => Promise<void>;
}) {
  const { busy, run } = useConnect(server, onConnected, user);
  return (
    <div className={classNames(panelStyles.nothing, layout.row, layout.wrap, layout.gap3)}>
      <span>Repositories on the server are read as root.</span>
      <Button size="sm" icon="link" busy={busy} busyLabel="Connecting" onClick={run}>
        Connect as {user}
        <span className={layout.visuallyHidden}> to see the readme</span>
      </Button>
    </div>
  );
}

const readBy = (account: string, login: string) =>
  account === login ? `Read as ${account}` : `Read as ${account}, over the connection of ${login}`;
