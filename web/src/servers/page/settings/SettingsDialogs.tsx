import type { Server } from '@homeport/contract/servers/schema';
import type { ReactElement } from 'react';
import { useApi } from '../../../data/use-api.ts';
import { InstallLineDialog } from '../../InstallLineDialog.tsx';
import { AddressDialog } from './AddressDialog.tsx';
import { CommandsDialog } from './CommandsDialog.tsx';
import { CredentialDialog } from './CredentialDialog.tsx';
import { DetailsDialog } from './DetailsDialog.tsx';
import { DokkuDialog } from './DokkuDialog.tsx';
import { HostKeyDialog } from './HostKeyDialog.tsx';
import { PluginDialog } from './PluginDialog.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import type { SettingsDialog } from './Settings.tsx';
import { ShellDialog } from './ShellDialog.tsx';

export interface SettingsDialogsProps {
  dialog: SettingsDialog;
  server: Server;
  onClose: () => void;
}

/** The dialogs load when the first one opens, because viewing a server needs no form. */
export function SettingsDialogs({ dialog, server, onClose }: SettingsDialogsProps): ReactElement {
  const apps = useApi('GET /api/apps').data ?? [];
  const common = { server, onClose };
  switch (dialog) {
    case 'details':
      return <DetailsDialog {...common} />;
    case 'credential':
      return <CredentialDialog {...common} />;
    case 'address':
      return <AddressDialog {...common} />;
    case 'host-key':
      return <HostKeyDialog {...common} />;
    case 'agent-line':
      return <InstallLineDialog {...common} />;
    case 'dokku':
      return <DokkuDialog {...common} />;
    case 'plugin':
      return <PluginDialog {...common} />;
    case 'commands':
      return <CommandsDialog {...common} />;
    case 'shell':
      return <ShellDialog {...common} />;
    case 'remove':
      return <RemoveDialog {...common} apps={apps.filter((app) => app.serverId === server.id)} />;
  }
}
