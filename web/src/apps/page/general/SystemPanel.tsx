import type { SystemInformation } from '@homeport/contract/apps/settings-schema';
import { lazy, Suspense, useState } from 'react';
import { useApi } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { appsUser } from '../../../on-server/server-accounts.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { CodeLine, CopyValue } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Badge, Status } from '../../../ui/feedback/Status.tsx';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { useNow } from '../../../ui/text/use-now.ts';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import appPageStyles from '../app-page.module.css';
import { pushersText, pushKeysText } from '../push-keys/push-keys-text.ts';
import { idsOf, leftContainers, namesOf, removalOf } from './left-containers.ts';

const PushKeysDialog = lazy(async () => ({
  default: (await import('../push-keys/PushKeysDialog.tsx')).PushKeysDialog,
}));
const RemoveContainersDialog = lazy(async () => ({
  default: (await import('./RemoveContainersDialog.tsx')).RemoveContainersDialog,
}));

/** What the app is on its server: its name there, who may use it, and its parts. */
export function SystemPanel({ place }: { place: AppPlace }) {
  const { app, server, connect } = place;
  const [edited, setEdited] = useState(false);
  const { state } = useOnServer('GET /api/apps/:id/system', place, 'system');
  return (
    <Panel id="system" title="System Information" body="flush" busy={state.kind === 'loading'}>
      <dl className={classNames(definitionsStyles.list, appPageStyles.facts)}>
        <dt>App id</dt>
        <dd>
          <CopyValue text={app.longname} what="app id" />
        </dd>
        <dt>Allowed users</dt>
        <dd className={classNames(layout.row, layout.spaceBetween)}>
          me (default)
          <Button size="sm" disabledReason={closedOnApp(app, server)} onClick={() => setEdited(true)}>
            Edit<span className={layout.visuallyHidden}> who may push</span>
          </Button>
          {edited && (
            <Suspense fallback={null}>
              <PushKeysDialog place={place} onClose={() => setEdited(false)} />
            </Suspense>
          )}
        </dd>
        <dt>May push</dt>
        <dd>
          <MayPush app={app} />
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={app.createdAt} as="datetime" />
        </dd>
        <dt>Actions run as</dt>
        <dd>
          <span className={typography.monospace}>{appsUser(server)}</span>
          {server.consoleAccount
            ? ', the console’s own account there'
            : ', because the console has no account of its own there'}
        </dd>
      </dl>
      <div className={appPageStyles.section}>
        <ServerRead state={state} connect={connect} what="containers, ports and proxy">
          {(system) => (
            <>
              <Facts system={system} app={app} />
              <LeftContainers system={system} place={place} />
            </>
          )}
        </ServerRead>
      </div>
    </Panel>
  );
}

/** What the server told last, with its time; without an answer of the server, what the creation of the app allowed. */
function MayPush({ app }: { app: AppPlace['app'] }) {
  const keys = useApi('GET /api/keys').data;
  const known = useApi('GET /api/apps/:id/known', { params: { id: app.id } }).data;
  if (!keys) return <span className={typography.subtle}>Loading</span>;
  if (!known?.pushers) return pushKeysText(app, keys);
  const { told, readAt } = known.pushers;
  return (
    <>
      {pushersText(told, keys)}
      <span className={typography.subtle}>
        , read <Time at={readAt} />
      </span>
    </>
  );
}

/** Running is quiet. Any other state, in Docker's word, has a box. */
function ContainerState({ state }: { state: string }) {
  if (state === 'running') return <Status status="running" />;
  return <Badge>{state.charAt(0).toUpperCase() + state.slice(1)}</Badge>;
}

/** A commit by its first 12 digits, as Docker shortens ids. An image keeps its whole name. */
const shortDetail = (detail: string) => (/^[0-9a-f]{40}$/.test(detail) ? detail.slice(0, 12) : detail);

const unknown = <span className={typography.subtle}>not known</span>;

/** The server makes the app in the same work, so that a moment of its own is news only for an app that was there before. */
const sameMomentMs = 60_000;

function Facts({ system, app }: { system: SystemInformation; app: AppPlace['app'] }) {
  const { processes, source, sourceDetail, deployBranch, ports, published, proxy, createdAt } = system;
  return (
    <dl className={classNames(definitionsStyles.list, appPageStyles.facts)}>
      <dt>Containers</dt>
      <dd className={classNames(layout.stack, layout.gap2)}>
        {processes.length === 0 && <span className={typography.subtle}>None</span>}
        {processes.map(({ name, state, containerId }) => (
          <span key={`${name} ${containerId}`} className={classNames(layout.row, layout.wrap)}>
            <span className={typography.monospace}>{name}</span>
            <ContainerState state={state} />
            <span className={classNames(typography.monospace, typography.subtle)} title={containerId}>
              {containerId.slice(0, 12)}
            </span>
          </span>
        ))}
      </dd>
      <dt>Source</dt>
      <dd>
        {source ?? unknown}, branch{' '}
        {deployBranch === null ? unknown : <span className={typography.monospace}>{deployBranch}</span>}
        {sourceDetail && (
          <span className={classNames(typography.monospace, typography.subtle)} title={sourceDetail}>
            {' '}
            {shortDetail(sourceDetail)}
          </span>
        )}
      </dd>
      <dt>Ports</dt>
      <dd>
        {ports.length === 0 ? (
          <span className={typography.subtle}>None</span>
        ) : (
          <span className={typography.monospace}>{ports.join(', ')}</span>
        )}
        , proxy {proxy ?? unknown}
      </dd>
      {published && published.length > 0 && (
        <>
          <dt>Published</dt>
          <dd className={classNames(layout.stack, layout.gap2)}>
            <span className={classNames(layout.row, layout.wrap)}>
              <span className={typography.monospace}>{published.join(', ')}</span>
              <Badge tone="warn" icon="warning">
                Reachable past the firewall
              </Badge>
            </span>
            <span className={typography.small}>
              These ports of the server lead to the app without the proxy, over plain HTTP. To close them, run
              this on the server, and restart the app:
            </span>
            <CodeLine text={`dokku network:set ${app.longname} bind-all-interfaces false`} what="command" />
          </dd>
        </>
      )}
      {(createdAt === null || Math.abs(createdAt - app.createdAt) > sameMomentMs) && (
        <>
          <dt>Created there</dt>
          <dd>{createdAt === null ? unknown : <Time at={createdAt} as="datetime" />}</dd>
        </>
      )}
    </dl>
  );
}

/** Names what failed deploys left on the server, and removes it. An older plugin cannot; then stands the command that does. */
function LeftContainers({ system, place }: { system: SystemInformation; place: AppPlace }) {
  const left = leftContainers(system, useNow(60_000));
  const [asked, setAsked] = useState(false);
  const ids = idsOf(left);
  if (left.length === 0) return null;
  return (
    <div className={classNames(layout.stack, layout.gap2, layout.below)}>
      <Banner
        tone="warn"
        action={
          ids && (
            <Button
              size="sm"
              icon="trash"
              disabledReason={closedOnApp(place.app, place.server)}
              onClick={() => setAsked(true)}
            >
              Remove
            </Button>
          )
        }
      >
        <p>
          Failed deploys left {left.length === 1 ? 'a container' : `${left.length} containers`} on the server:{' '}
          {namesOf(left)}. No visitor reaches {left.length === 1 ? 'it' : 'them'}, and Dokku removes{' '}
          {left.length === 1 ? 'it' : 'them'} only with the app. {!ids && 'Run this on the server, as root:'}
        </p>
      </Banner>
      {!ids && <CodeLine text={removalOf(left)} what="command" />}
      {asked && ids && (
        <Suspense fallback={null}>
          <RemoveContainersDialog
            app={place.app}
            names={left.map(({ name }) => name)}
            ids={ids}
            onClose={() => setAsked(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
