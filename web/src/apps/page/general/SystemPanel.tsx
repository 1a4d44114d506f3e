import type { SystemInformation } from '@homeport/contract/apps/settings-schema';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { CopyValue } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Badge } from '../../../ui/feedback/Status.tsx';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import appPageStyles from '../app-page.module.css';

/** Who may use the app, and which parts it has on its server. */
export function SystemPanel({ place }: { place: AppPlace }) {
  const { app, connect } = place;
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
          <Button size="sm" disabledReason="An app has one user: its owner.">
            Edit
          </Button>
        </dd>
      </dl>
      <div className={appPageStyles.section}>
        <ServerRead state={state} connect={connect} what="containers, ports and proxy">
          {(system) => <Facts system={system} />}
        </ServerRead>
      </div>
    </Panel>
  );
}

const unknown = <span className={typography.subtle}>not known</span>;

function Facts({ system }: { system: SystemInformation }) {
  const { processes, source, sourceDetail, deployBranch, ports, proxy, createdAt } = system;
  return (
    <dl className={classNames(definitionsStyles.list, appPageStyles.facts)}>
      <dt>Containers</dt>
      <dd className={classNames(layout.stack, layout.gap2)}>
        {processes.length === 0 && <span className={typography.subtle}>None</span>}
        {processes.map(({ name, state, containerId }) => (
          <span key={`${name} ${containerId}`} className={classNames(layout.row, layout.wrap)}>
            <span className={typography.monospace}>{name}</span>
            <Badge tone={state === 'running' ? 'ok' : 'plain'}>{state}</Badge>
            <span className={classNames(typography.monospace, typography.subtle)} title={containerId}>
              {containerId.slice(0, 12)}
            </span>
          </span>
        ))}
      </dd>
      <dt>Source</dt>
      <dd>
        {source ?? unknown}
        {sourceDetail && (
          <span className={classNames(typography.monospace, typography.subtle)}> {sourceDetail}</span>
        )}
      </dd>
      <dt>Branch</dt>
      <dd>
        {deployBranch === null ? unknown : <span className={typography.monospace}>{deployBranch}</span>}
      </dd>
      <dt>Ports</dt>
      <dd className={typography.monospace}>
        {ports.length === 0 ? <span className={typography.subtle}>None</span> : ports.join(', ')}
      </dd>
      <dt>Proxy</dt>
      <dd>{proxy ?? unknown}</dd>
      <dt>Created there</dt>
      <dd>{createdAt === null ? unknown : <Time at={createdAt} as="datetime" />}</dd>
    </dl>
  );
}
