import type { App } from '@homeport/contract/apps/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import { Suspense } from 'react';
import { useApi } from '../../../data/use-api.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { ExternalLink } from '../../../ui/button/CodeLine.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../../ui/layout/Setting.tsx';
import { onDemand } from '../../../ui/on-demand.tsx';
import typography from '../../../ui/text/typography.module.css';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import type { ManageDialog } from './manage-dialog.ts';
import { PortsSetting } from './PortsSetting.tsx';

const SiteSetting = onDemand(async () => (await import('../site/SiteSetting.tsx')).SiteSetting, 'outside');

export interface ManagePanelProps {
  place: AppPlace;
  /** Loads the dialogs before one opens. */
  onPrepare: () => unknown;
  onOpen: (dialog: ManageDialog) => void;
}

/** What is changed seldom: HTTPS, ports, the repository and the app's destruction. */
export function ManagePanel({ place, onPrepare, onOpen }: ManagePanelProps) {
  const { app, server } = place;
  const texts = closedTexts(server);
  const closed = closedOnApp(app, server);
  const gone = app.missingSince !== null;
  return (
    <Panel title="Manage App" id="manage-app" body="flush">
      <SettingsList onPointerEnter={() => onPrepare()} onFocus={() => onPrepare()}>
        <HttpsSetting app={app} closed={closed} onOpen={onOpen} />
        <PortsSetting place={place} closed={closed} onOpen={onOpen} />
        <Suspense fallback={<Setting title="Site" note="…" />}>
          <SiteSetting place={place} onOpen={(site) => onOpen({ kind: 'site', site })} />
        </Suspense>
        <Setting
          title="Repository"
          note={
            app.repository ? (
              <>
                <RepositoryLink fullName={app.repository.fullName} />, branch{' '}
                <span className={typography.monospace}>{app.repository.branch}</span>
              </>
            ) : (
              'Deploy each push to a repository on GitHub.'
            )
          }
          action={
            <Button
              size="sm"
              disabledReason={app.repository ? texts?.deploy : closedOnApp(app, server, 'deploy')}
              onClick={() => onOpen({ kind: 'repository' })}
            >
              {app.repository ? 'Show workflow' : 'Link repository'}
            </Button>
          }
        />
        <Setting
          tone="danger"
          title={gone ? 'Remove app' : 'Destroy app'}
          note={
            gone
              ? `Deletes what Homeport knows of the app, which ${app.serverName} no longer has.`
              : `Deletes the app, its variables and its domains from ${app.serverName}. Its storage stays unless you choose to delete it.`
          }
          action={
            <Button
              size="sm"
              variant="danger-quiet"
              icon="trash"
              disabledReason={texts?.act}
              onClick={() => onOpen({ kind: 'destroy' })}
            >
              {gone ? 'Remove app' : 'Destroy app'}
            </Button>
          }
        />
      </SettingsList>
    </Panel>
  );
}

function RepositoryLink({ fullName }: { fullName: string }) {
  const site = useApi('GET /api/configuration').data?.githubUrl;
  const name = <span className={typography.monospace}>{fullName}</span>;
  return site === undefined ? name : <ExternalLink href={`${site}/${fullName}`}>{name}</ExternalLink>;
}

interface DomainSettingProps {
  app: App;
  /** Why the user can change nothing on this server. null where the console can log in. */
  closed: string | null;
  onOpen: (dialog: ManageDialog) => void;
}

function HttpsSetting({ app, closed, onOpen }: DomainSettingProps) {
  const noDomain = app.domains.length === 0 ? 'A certificate needs a domain: add one first.' : null;
  return (
    <Setting
      title={app.https ? 'HTTPS is enabled' : 'HTTPS'}
      note={
        app.https
          ? 'Enable it again after adding a domain: one certificate covers all.'
          : 'One certificate for all domains, checked before it is requested.'
      }
      action={
        <Button size="sm" disabledReason={closed ?? noDomain} onClick={() => onOpen({ kind: 'https' })}>
          {app.https ? 'Enable HTTPS again' : 'Enable HTTPS'}
        </Button>
      }
    />
  );
}
