import { reportEverySeconds } from '@homeport/contract/limits';
import { countryDatabase } from '@homeport/contract/location/facts';
import { messages } from '@homeport/contract/messages';
import { closedTexts } from '@homeport/contract/servers/closed';
import { defaultSshPort } from '@homeport/contract/servers/facts';
import type { Server } from '@homeport/contract/servers/schema';
import type { ReactNode } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { ExternalLink } from '../../../ui/button/CodeLine.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import layout from '../../../ui/layout/layout.module.css';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../../ui/layout/Setting.tsx';
import { formatDate } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { pluginLook } from '../plugin-look.ts';
import { useGlobalDomain } from '../use-global-domain.ts';
import { usePluginInstall } from '../use-plugin-install.ts';
import { consoleAccountLook } from './console-account-look.ts';
import { hostKeyText } from './host-key-text.ts';
import { useAccountUpdate } from './use-account-update.ts';
import { useTrust } from './use-trust.ts';

export type SettingsDialog =
  | 'details'
  | 'credential'
  | 'address'
  | 'host-key'
  | 'agent-line'
  | 'dokku'
  | 'plugin'
  | 'commands'
  | 'shell'
  | 'remove';

export interface SettingsProps {
  server: Server;
  /** From the latest report. null before the first report. */
  agentVersion: string | null;
  onOpen: (dialog: SettingsDialog) => void;
}

export function Settings({ server, agentVersion, onOpen }: SettingsProps) {
  const { name, description, simulated } = server;
  const unreachable = closedTexts(server)?.connect;
  return (
    <Panel id="settings" title="Settings" body="flush">
      <SettingsList>
        <Row
          title="Name, description, location"
          note={
            <>
              {description ? `${name}, “${description}”` : name}, location: <LocationNote server={server} />
            </>
          }
        >
          <Button size="sm" onClick={() => onOpen('details')}>
            Edit<span className={layout.visuallyHidden}> name, description and location</span>
          </Button>
        </Row>
        <Row title="Management credential" note={<CredentialNote server={server} />}>
          <Button
            size="sm"
            variant="ghost"
            disabledReason={simulated ? unreachable : null}
            onClick={() => onOpen('address')}
          >
            Address<span className={layout.visuallyHidden}> of the server</span>
          </Button>
          <Button
            size="sm"
            disabledReason={simulated ? unreachable : null}
            onClick={() => onOpen('credential')}
          >
            {server.credential === null ? 'Add' : 'Change'}
            <span className={layout.visuallyHidden}> management credential</span>
          </Button>
        </Row>
        <Row title="Host key" note={<HostKeyNote server={server} />}>
          <Button size="sm" disabledReason={unreachable} onClick={() => onOpen('host-key')}>
            Show<span className={layout.visuallyHidden}> host key</span>
          </Button>
        </Row>
        <AccountRow server={server} />
        {server.credential === null && !simulated ? (
          <AgentLineRow agentVersion={agentVersion} onOpen={onOpen} />
        ) : (
          <AgentRow server={server} agentVersion={agentVersion} />
        )}
        {server.metal && server.setup === 'ready' && <DokkuRow server={server} onOpen={onOpen} />}
        <PluginRow server={server} onOpen={onOpen} />
        {server.globalDomains?.kept && <GlobalDomainRow server={server} />}
        {!server.metal && <CommandsRow server={server} onOpen={onOpen} />}
        <ShellRow server={server} onOpen={onOpen} />
        <Row tone="danger" title="Remove server" note="Removes it from Homeport. The machine keeps running.">
          <Button size="sm" variant="danger-quiet" icon="trash" onClick={() => onOpen('remove')}>
            Remove<span className={layout.visuallyHidden}> server</span>
          </Button>
        </Row>
      </SettingsList>
    </Panel>
  );
}

interface RowProps {
  title: string;
  note: ReactNode;
  /** `danger` marks the row that removes something. */
  tone?: 'default' | 'danger';
  children: ReactNode;
}

function Row({ title, note, tone = 'default', children }: RowProps) {
  return <Setting title={title} note={note} tone={tone} action={children} />;
}

/** Says where each part comes from. The database asks for its name beside each place that it told. */
function LocationNote({ server: { location, country, provider } }: { server: Server }) {
  if (location !== '') return location;
  const { name, url, licence, published } = countryDatabase;
  const firmware = provider && `${provider}, by the machine’s own firmware`;
  if (country === null) return firmware ?? 'not known';
  return (
    <>
      {country}, by its address: <ExternalLink href={url}>{name}</ExternalLink> of {formatDate(published)},{' '}
      {licence}
      {firmware && `. ${firmware}`}
    </>
  );
}

function CredentialNote({ server: { credential, username, port } }: { server: Server }) {
  const keys = useApi('GET /api/keys').data;
  const account = `user ${username}${port === defaultSshPort ? '' : `, port ${port}`}`;
  if (credential === null) return 'None: the server is read-only';
  if (credential === 'password') return `Password, ${account}`;
  return (
    <>
      Key{' '}
      <span className={typography.monospace}>
        {keys?.find((key) => key.id === credential)?.name ?? credential}
      </span>
      , {account}
    </>
  );
}

function AccountRow({ server }: { server: Server }) {
  const keys = useApi('GET /api/keys').data;
  const update = useAccountUpdate(server.id);
  const look = keys ? consoleAccountLook(server, keys) : null;
  if (!look) return null;
  const note = (
    <>
      {look.before}
      <span className={typography.monospace}>{look.key}</span>
      {look.after}
    </>
  );
  return (
    <Row title="Homeport’s own account" note={note}>
      {look.action && (
        <Button size="sm" busy={update.isPending} busyLabel="Starting" onClick={update.start}>
          {look.action}
          <span className={layout.visuallyHidden}> (Homeport’s own account)</span>
        </Button>
      )}
    </Row>
  );
}

function HostKeyNote({ server }: { server: Server }) {
  return hostKeyText(server, useTrust(server).trust);
}

const everyReport = `reporting every ${reportEverySeconds / 60} minutes`;

function AgentRow({ server, agentVersion }: Pick<SettingsProps, 'server' | 'agentVersion'>) {
  const install = useAct('POST /api/servers/:id/agent', {
    onDone: (operation) => openOperation(operation.id),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const note =
    server.monitorId === null
      ? messages.noMonitorId
      : agentVersion !== null
        ? `Version ${agentVersion}, ${everyReport}`
        : server.agentInstalled
          ? `Installed, no report yet. It reports every ${reportEverySeconds / 60} minutes.`
          : 'Not installed';
  const reason = closedTexts(server)?.connect ?? (server.monitorId === null ? messages.noMonitorId : null);
  return (
    <Row title="Monitoring agent" note={note}>
      <Button
        size="sm"
        disabledReason={reason}
        busy={install.isPending}
        busyLabel="Starting"
        onClick={() => install.mutate({ params: { id: server.id } })}
      >
        {server.agentInstalled ? 'Reinstall' : 'Install'}
        <span className={layout.visuallyHidden}> monitoring agent</span>
      </Button>
    </Row>
  );
}

/** The agent of a read-only server is installed by a line that somebody pastes on the machine. */
function AgentLineRow({ agentVersion, onOpen }: Pick<SettingsProps, 'agentVersion' | 'onOpen'>) {
  const note =
    agentVersion === null
      ? 'No report yet. Its install line runs on the machine.'
      : `Version ${agentVersion}, ${everyReport}`;
  return (
    <Row title="Monitoring agent" note={note}>
      <Button size="sm" onClick={() => onOpen('agent-line')}>
        Install line<span className={layout.visuallyHidden}> of the monitoring agent</span>
      </Button>
    </Row>
  );
}

/** The way out of bare metal. */
function DokkuRow({ server, onOpen }: Pick<SettingsProps, 'server' | 'onOpen'>) {
  const noRoot =
    server.login === 'plain' && !server.sandbox
      ? 'It is installed as root, which the account may not become.'
      : null;
  return (
    <Row title="Dokku" note="Not used on this server. It runs apps and databases.">
      <Button
        size="sm"
        icon="download"
        disabledReason={closedTexts(server)?.act ?? noRoot}
        onClick={() => onOpen('dokku')}
      >
        Install<span className={layout.visuallyHidden}> Dokku</span>
      </Button>
    </Row>
  );
}

function PluginRow({ server, onOpen }: Pick<SettingsProps, 'server' | 'onOpen'>) {
  const install = usePluginInstall(server.id);
  const look = pluginLook(server);
  if (!look) return null;
  return (
    <Row title="Homeport’s Dokku plugin" note={look.note}>
      <Button size="sm" variant="ghost" onClick={() => onOpen('plugin')}>
        Files<span className={layout.visuallyHidden}> of Homeport’s Dokku plugin</span>
      </Button>
      {look.action && (
        <Button
          size="sm"
          disabledReason={look.refusal}
          busy={install.isPending}
          busyLabel="Starting"
          onClick={install.start}
        >
          {look.action}
          <span className={layout.visuallyHidden}> Homeport’s Dokku plugin</span>
        </Button>
      )}
    </Row>
  );
}

/** To allow asks for the password or a passkey; to forbid does not. */
function CommandsRow({ server, onOpen }: Pick<SettingsProps, 'server' | 'onOpen'>) {
  const forbid = useAct('POST /api/servers/:id/commands/forbid', {
    onDone: () => toast.ok('Commands are not allowed any more'),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const allowed = server.commandsAllowed;
  return (
    <Row title="Commands in apps" note={allowed ? 'Allowed. Each one is a security event.' : 'Not allowed'}>
      <Button
        size="sm"
        disabledReason={allowed ? null : closedTexts(server)?.act}
        busy={forbid.isPending}
        busyLabel="Ending"
        onClick={() => (allowed ? forbid.mutate({ params: { id: server.id } }) : onOpen('commands'))}
      >
        {allowed ? 'Forbid' : 'Allow'}
        <span className={layout.visuallyHidden}> commands in apps</span>
      </Button>
    </Row>
  );
}

/** As for commands. Open terminals end when they are forbidden. */
function ShellRow({ server, onOpen }: Pick<SettingsProps, 'server' | 'onOpen'>) {
  const forbid = useAct('POST /api/servers/:id/shell/forbid', {
    onDone: () => toast.ok('Terminals on the server are not allowed any more'),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const allowed = server.shellAllowed;
  return (
    <Row
      title="Terminals on the server"
      note={allowed ? `Allowed, as ${server.username}. Each one is a security event.` : 'Not allowed'}
    >
      <Button
        size="sm"
        disabledReason={allowed ? null : closedTexts(server)?.connect}
        busy={forbid.isPending}
        busyLabel="Ending"
        onClick={() => (allowed ? forbid.mutate({ params: { id: server.id } }) : onOpen('shell'))}
      >
        {allowed ? 'Forbid' : 'Allow'}
        <span className={layout.visuallyHidden}> terminals on the server</span>
      </Button>
    </Row>
  );
}

/** A server's own global domain, once the person has said that it stays. Until then a banner asks. */
function GlobalDomainRow({ server }: Pick<SettingsProps, 'server'>) {
  const domain = useGlobalDomain(server);
  if (!domain.look) return null;
  return (
    <Row title="Global domain" note={domain.look.kept}>
      {domain.look.replace !== null && (
        <Button
          size="sm"
          disabledReason={closedTexts(server)?.act}
          busy={domain.replacing}
          busyLabel="Starting"
          onClick={domain.replace}
        >
          Replace<span className={layout.visuallyHidden}> the global domain</span>
        </Button>
      )}
    </Row>
  );
}
