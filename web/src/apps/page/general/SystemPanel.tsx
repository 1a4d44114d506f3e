import type { SystemInformation } from '@homeport/contract/app-settings';
import { Button } from '../../ui/Button.tsx';
import { CopyValue } from '../../ui/CodeLine.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Badge } from '../../ui/Status.tsx';
import { Time } from '../../ui/Time.tsx';
import type { AppPlace } from './on-server/app-place.ts';
import { ServerRead } from './on-server/ServerRead.tsx';
import { useOnServer } from './on-server/use-on-server.ts';

/** Who may use the app, and what it is made of on its server. */
export function SystemPanel({ place }: { place: AppPlace }) {
  const { app, connect } = place;
  const { state } = useOnServer('GET /api/apps/:id/system', place);
  return (
    <Panel id="system" title="System Information" body="flush" busy={state.kind === 'loading'}>
      <dl className="dl appsystem">
        <dt>App id</dt>
        <dd>
          <CopyValue text={app.longname} what="app id" />
        </dd>
        <dt>Allowed users</dt>
        <dd className="row between">
          me (default)
          <Button size="sm" disabledReason="An app has one user: its owner.">
            Edit
          </Button>
        </dd>
      </dl>
      <div className="subpanel">
        <ServerRead state={state} connect={connect} what="containers, ports and proxy">
          {(system) => <Facts system={system} />}
        </ServerRead>
      </div>
    </Panel>
  );
}

const unknown = <span className="subtle">not known</span>;

function Facts({ system }: { system: SystemInformation }) {
  const { processes, source, sourceDetail, deployBranch, ports, proxy, createdAt } = system;
  return (
    <dl className="dl appsystem">
      <dt>Containers</dt>
      <dd className="stack g2">
        {processes.length === 0 && <span className="subtle">None</span>}
        {processes.map(({ name, state, containerId }) => (
          <span key={`${name} ${containerId}`} className="row wrap">
            <span className="mono">{name}</span>
            <Badge tone={state === 'running' ? 'ok' : 'plain'}>{state}</Badge>
            <span className="mono subtle" title={containerId}>
              {containerId.slice(0, 12)}
            </span>
          </span>
        ))}
      </dd>
      <dt>Source</dt>
      <dd>
        {source ?? unknown}
        {sourceDetail && <span className="mono subtle"> {sourceDetail}</span>}
      </dd>
      <dt>Branch</dt>
      <dd>{deployBranch === null ? unknown : <span className="mono">{deployBranch}</span>}</dd>
      <dt>Ports</dt>
      <dd className="mono">{ports.length === 0 ? <span className="subtle">None</span> : ports.join(', ')}</dd>
      <dt>Proxy</dt>
      <dd>{proxy ?? unknown}</dd>
      <dt>Created there</dt>
      <dd>{createdAt === null ? unknown : <Time at={createdAt} as="datetime" />}</dd>
    </dl>
  );
}
