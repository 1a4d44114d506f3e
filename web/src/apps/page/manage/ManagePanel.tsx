import type { App } from '@homeport/contract/apps/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import { lazy, Suspense, useState } from 'react';
import { useApi } from '../../../data/use-api.ts';
import { Button, IconButton } from '../../../ui/button/Button.tsx';
import { ExternalLink } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../../ui/layout/Setting.tsx';
import typography from '../../../ui/text/typography.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import type { useAppActs } from '../use-app-acts.ts';
import styles from './manage.module.css';
import type { ManageDialog } from './manage-dialog.ts';
import { PortsSetting } from './PortsSetting.tsx';
import { StorageList } from './StorageList.tsx';

const loadDialogs = () => import('./ManageDialogs.tsx');
const ManageDialogs = lazy(async () => ({ default: (await loadDialogs()).ManageDialogs }));

export interface ManagePanelProps {
  place: AppPlace;
  acts: ReturnType<typeof useAppActs>;
}

/** The app's domains, its storage, its repository and its destruction. */
export function ManagePanel({ place, acts }: ManagePanelProps) {
  const { app, server } = place;
  const [dialog, setDialog] = useState<ManageDialog | null>(null);
  const texts = closedTexts(server);
  const closed = texts?.act ?? null;
  return (
    <Panel title="Manage App" id="manage-app" body="flush">
      <SettingsList onPointerEnter={loadDialogs} onFocus={loadDialogs}>
        <DomainsSetting app={app} closed={closed} onOpen={setDialog} />
        <HttpsSetting app={app} closed={closed} onOpen={setDialog} />
        <PortsSetting place={place} closed={closed} onOpen={setDialog} />
        <Setting
          title="Persistent storage"
          note="Folders that outlive deploys."
          action={
            <Button size="sm" disabledReason={closed} onClick={() => setDialog({ kind: 'storage' })}>
              Add storage
            </Button>
          }
        >
          <StorageList place={place} />
        </Setting>
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
              disabledReason={texts?.deploy}
              onClick={() => setDialog({ kind: 'repository' })}
            >
              {app.repository ? 'Show workflow' : 'Link repository'}
            </Button>
          }
        />
        <Setting
          tone="danger"
          title="Destroy app"
          note={`Deletes the app, its variables and its domains from ${app.serverName}. Its storage stays unless you choose to delete it.`}
          action={
            <Button
              size="sm"
              variant="danger-quiet"
              icon="trash"
              disabledReason={closed}
              onClick={() => setDialog({ kind: 'destroy' })}
            >
              Destroy app
            </Button>
          }
        />
      </SettingsList>
      {dialog && (
        <Suspense fallback={null}>
          <ManageDialogs
            dialog={dialog}
            place={place}
            destroy={acts.destroy}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
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

function DomainsSetting({ app, closed, onOpen }: DomainSettingProps) {
  return (
    <Setting
      title="Domains"
      note={
        app.unread
          ? 'Not read from the server yet.'
          : app.domains.length === 0
            ? 'None yet.'
            : 'Where the app answers.'
      }
      action={
        <Button size="sm" disabledReason={closed} onClick={() => onOpen({ kind: 'add-domain' })}>
          Add domain
        </Button>
      }
    >
      {app.domains.length > 0 && (
        <ul className={styles.domains}>
          {app.domains.map((domain) => (
            <li key={domain} className={classNames(layout.row, layout.spaceBetween)}>
              <span className={typography.monospace}>{domain}</span>
              <IconButton
                label={`Remove ${domain}`}
                icon="trash"
                disabledReason={closed}
                onClick={() => onOpen({ kind: 'remove-domain', domain })}
              />
            </li>
          ))}
        </ul>
      )}
    </Setting>
  );
}

function HttpsSetting({ app, closed, onOpen }: DomainSettingProps) {
  const noDomain = app.domains.length === 0 ? 'A certificate needs a domain: add one first.' : null;
  return (
    <Setting
      title={app.https ? 'HTTPS is enabled' : 'HTTPS'}
      note={
        app.https
          ? 'Enable it again after adding a domain: that requests a certificate for all of them.'
          : 'Requests one certificate for every domain, after a look at what would make that fail.'
      }
      action={
        <Button size="sm" disabledReason={closed ?? noDomain} onClick={() => onOpen({ kind: 'https' })}>
          {app.https ? 'Enable HTTPS again' : 'Enable HTTPS'}
        </Button>
      }
    />
  );
}
