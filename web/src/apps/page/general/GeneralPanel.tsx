import { isDeployed } from '@homeport/contract/apps/health';
import { planOf } from '@homeport/contract/apps/plans';
import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useApi } from '../../../data/use-api.ts';
import { appsUser } from '../../../on-server/server-accounts.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { CopyValue, ExternalLink } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { openUrl } from '../../open-url.ts';
import { appPlanText } from '../../plan-text.ts';
import { pushKeysText } from './push-keys-text.ts';

const loadEditName = () => import('./EditAppNameDialog.tsx');
const EditAppNameDialog = lazy(async () => ({ default: (await loadEditName()).EditAppNameDialog }));

export function GeneralPanel({ app, server }: { app: App; server: Server }) {
  const [editing, setEditing] = useState(false);
  const keys = useApi('GET /api/keys').data;
  const url = openUrl(app);
  const plan = app.plan === null ? null : planOf(app.plan);
  return (
    <Panel
      title="General"
      id="general"
      actions={
        <Button
          size="sm"
          variant="ghost"
          icon="edit"
          onPointerEnter={loadEditName}
          onFocus={loadEditName}
          onClick={() => setEditing(true)}
        >
          Edit name
        </Button>
      }
    >
      <dl className={definitionsStyles.list}>
        <dt>Name</dt>
        <dd>{app.name}</dd>
        <dt>On the server</dt>
        <dd>
          <CopyValue text={app.longname} what="name on the server" />
        </dd>
        <dt>Link</dt>
        <dd>
          {url ? (
            <ExternalLink href={url}>{url}</ExternalLink>
          ) : (
            <span className={typography.subtle}>
              {app.stopped ? 'None while the app is stopped' : 'None before the first deploy'}
            </span>
          )}
        </dd>
        <dt>{app.domains.length === 1 ? 'Domain' : 'Domains'}</dt>
        <dd className={classNames(layout.stack, layout.gap2)}>
          {app.domains.length === 0 && (
            <span className={typography.subtle}>{app.unread ? 'Not read yet' : 'None yet'}</span>
          )}
          {app.domains.map((domain) => (
            <span key={domain}>{domain}</span>
          ))}
        </dd>
        <dt>Server</dt>
        <dd>
          <Link to="/server/$key" params={{ key: server.key }}>
            {server.name}
          </Link>
        </dd>
        <dt>Plan</dt>
        <dd>
          {appPlanText(app)}
          {plan && `, ${plan.cpus} CPU`}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={app.createdAt} as="datetime" />
        </dd>
        <dt>Last deployed</dt>
        <dd>
          {app.deployment.at === null ? (
            <span className={typography.subtle}>{isDeployed(app) ? 'The server does not say' : 'Never'}</span>
          ) : (
            <Time at={app.deployment.at} as="datetime" />
          )}
        </dd>
        <dt>Allowed Users</dt>
        <dd>{keys ? pushKeysText(app, keys) : <span className={typography.subtle}>Loading</span>}</dd>
        <dt>Actions run as</dt>
        <dd>
          <span className={typography.monospace}>{appsUser(server)}</span>
          {server.consoleAccount
            ? ', the console’s own account there'
            : ', because the console has no account of its own there'}
        </dd>
      </dl>
      {editing && (
        <Suspense fallback={null}>
          <EditAppNameDialog app={app} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Panel>
  );
}
